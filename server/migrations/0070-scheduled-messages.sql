-- Messages that somebody wrote to be sent later. The row and its message are written in one transaction, so it is sent once.
create table schedules (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  "contactId" int not null,
  -- Null: the line is gone.
  "whatsappId" int,
  "userId" int,
  body text not null,
  "mediaPath" text,
  "mediaName" text,
  -- Of the file: what kind of message it makes, its size and its pages.
  file jsonb,
  -- What the line needs to know besides the text: a template.
  "sendAs" jsonb,
  "sendAt" timestamptz not null,
  "sentAt" timestamptz,
  status text not null default 'PENDENTE' check (status in ('PENDENTE', 'AGENDADA', 'ENVIADA', 'ERRO')),
  error text,
  "onReply" text not null default 'send' check ("onReply" in ('send', 'hold')),
  "heldAt" timestamptz,
  -- While it waits for its line: after this it is too late.
  "waitsUntil" timestamptz,
  "messageId" bigint,
  "ticketId" int,
  -- The series: its rule, the wall clock it counts from, which of its times this is, and whether the next one is made.
  repeat jsonb,
  first text not null default '',
  slot text not null default '',
  nth int not null default 1,
  followed boolean not null default false,
  -- What the customer wrote before this was seen by who saved it.
  "savedAt" timestamptz not null default now(),
  "createdAt" timestamptz not null default now(),
  unique ("companyId", id),
  foreign key ("companyId", "contactId") references contacts ("companyId", id) on delete cascade,
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete set null ("whatsappId"),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete set null ("userId"),
  foreign key ("companyId", "ticketId") references tickets ("companyId", id) on delete set null ("ticketId")
);
create index schedules_page on schedules ("companyId", id desc);
create index schedules_calendar on schedules ("companyId", "sendAt");
create index schedules_contact on schedules ("companyId", "contactId");
create index schedules_line on schedules ("companyId", "whatsappId");
create index schedules_user on schedules ("companyId", "userId");
create index schedules_ticket on schedules ("companyId", "ticketId") where "ticketId" is not null;
-- What the clock looks at: those whose time comes, and those whose message is under way.
create index schedules_due on schedules ("sendAt") where status in ('PENDENTE', 'AGENDADA') and "messageId" is null and "heldAt" is null;
create index schedules_under_way on schedules ("messageId") where status in ('AGENDADA', 'ERRO') and "messageId" is not null;
select tenant_table('schedules');

-- What was written to be sent later lets everything else of its line pass.
alter table messages add later boolean not null default false;
drop index messages_outbox;
create index messages_outbox on messages ("whatsappId", later, id) where state in ('queued', 'sending');
