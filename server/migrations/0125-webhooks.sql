-- Webhooks: what a company has told to programs of its own.
create table webhooks (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  name text not null,
  url text not null,
  events text[] not null,
  active boolean not null default true,
  "secretSealed" text not null,
  -- Signs beside the new one until then.
  "previousSealed" text,
  "previousUntil" timestamptz,
  -- It did not answer so often that it is left alone for a while.
  "failuresInRow" int not null default 0,
  "lastError" text not null default '',
  "restsSince" timestamptz,
  "restsUntil" timestamptz,
  -- Which process tells it, and until when nobody else does.
  holder text not null default '',
  "heldUntil" timestamptz not null default 'epoch',
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null default now(),
  unique ("companyId", id)
);
create index webhooks_page on webhooks ("companyId", id desc);
select tenant_table('webhooks');

-- Every event for each webhook that wants it: one row, in the transaction of what it tells. Nearly every company has one
-- webhook for a kind, so a row of the event beside it would be written twice as often and read never.
create table "webhookEvents" (
  id bigint generated always as identity primary key,
  "companyId" int not null,
  "webhookId" int not null,
  -- The same for every webhook that hears of it, at every try and in every replay.
  "eventId" uuid not null,
  type text not null,
  -- Told one after the other: of a ticket, of a contact, of a line.
  lane text not null,
  "ticketId" int,
  "contactId" int,
  -- As it was when it happened.
  data json not null,
  -- Whose address is signed anew for each try.
  file json,
  state text not null default 'waiting' check (state in ('waiting', 'done', 'given-up')),
  tries jsonb not null default '[]',
  attempts int not null default 0,
  -- What was answered last.
  answer text not null default '',
  -- When a first of its lane that failed is tried again.
  "nextAt" timestamptz,
  -- It is tried for a day from here.
  since timestamptz not null,
  "createdAt" timestamptz not null,
  foreign key ("companyId", "webhookId") references webhooks ("companyId", id) on delete cascade
);
create index "webhookEvents_log" on "webhookEvents" ("companyId", "webhookId", "createdAt", id);
create index "webhookEvents_waiting" on "webhookEvents" ("companyId", "webhookId", id) where state = 'waiting';
create index "webhookEvents_blocked" on "webhookEvents" ("companyId", "webhookId", lane) where "nextAt" is not null;
create index "webhookEvents_failed" on "webhookEvents" ("companyId", "webhookId", "createdAt", id)
  where state = 'given-up' or "nextAt" is not null;
select tenant_table('"webhookEvents"');

-- How many tries an hour had: counting events would read all of them.
create table "webhookHours" (
  "companyId" int not null,
  "webhookId" int not null,
  hour timestamptz not null,
  calls int not null default 0,
  failed int not null default 0,
  "lastAt" timestamptz not null,
  primary key ("companyId", "webhookId", hour),
  foreign key ("companyId", "webhookId") references webhooks ("companyId", id) on delete cascade
);
create index "webhookHours_old" on "webhookHours" (hour);
select tenant_table('"webhookHours"');

-- Every process knows which companies have any, and looks again when that changes.
create function say_hooks_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('recado', 'hooks');
  return null;
end $$;
create trigger hooks_changed after insert or update of events, active or delete on webhooks
  for each statement execute function say_hooks_changed();

-- A webhook rests, was switched off because nobody is there any more, or events were given up: those who lead are told.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('assigned', 'queued', 'mention', 'held', 'resting', 'hook-rests', 'hook-off', 'hook-gave-up'));
