-- What a webhook has to be told: one for each message of a customer, in their order, tried for a day. It is the delivery
-- that is tried again, not the bot: the customer is with people by then.
create table "webhookDeliveries" (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  "integrationId" int not null,
  "ticketId" int not null,
  "messageId" bigint not null,
  -- Without the address of a file, which is signed anew for each attempt.
  body jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'given-up')),
  attempts int not null default 0,
  -- Who attempts it has it until then.
  "heldUntil" timestamptz not null default 'epoch',
  answer text not null default '',
  "createdAt" timestamptz not null default now(),
  unique ("companyId", id),
  unique ("companyId", "integrationId", "ticketId", "messageId"),
  foreign key ("companyId", "integrationId") references "queueIntegrations" ("companyId", id) on delete cascade,
  foreign key ("companyId", "ticketId") references tickets ("companyId", id) on delete cascade
);
create index "webhookDeliveries_ticket" on "webhookDeliveries" ("companyId", "ticketId", id);
create index "webhookDeliveries_old" on "webhookDeliveries" ("createdAt");
select tenant_table('"webhookDeliveries"');

-- An integration that does not answer rests: those who lead are told.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (kind in ('assigned', 'queued', 'mention', 'held', 'resting'));
