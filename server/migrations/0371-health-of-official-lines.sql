-- What Meta says about a line on the official API: its current health, and the changes that led to it.
create table "cloudHealth" (
  "companyId" int not null,
  "whatsappId" int not null,
  quality text not null default '' check (quality in ('', 'green', 'yellow', 'red')),
  -- How many people the business may write to first within 24 hours. Null: not known; -1: no limit.
  "messagingLimit" int check ("messagingLimit" >= -1),
  account text not null default '' check (account in ('', 'restricted', 'violation', 'scheduled', 'disabled', 'deleted', 'rejected')),
  "accountUntil" timestamptz,
  "nameDecision" text not null default '' check ("nameDecision" in ('', 'approved', 'pending', 'rejected')),
  "updatedAt" timestamptz not null default now(),
  primary key ("companyId", "whatsappId"),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade
);
select tenant_table('"cloudHealth"');

create table "cloudHealthEvents" (
  id int generated always as identity,
  "companyId" int not null,
  "whatsappId" int not null,
  -- A hash of the notification: Meta repeats one that was not answered in time.
  key text not null,
  kind text not null check (kind in ('quality', 'limit', 'account', 'alert', 'template', 'template-quality', 'name')),
  level text not null check (level in ('good', 'info', 'warn', 'bad')),
  subject text not null default '',
  value text not null default '',
  "before" text not null default '',
  reason text not null default '',
  "until" timestamptz,
  at timestamptz not null default now(),
  primary key ("companyId", id),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade
);
create unique index "cloudHealthEvents_key" on "cloudHealthEvents" ("companyId", "whatsappId", key);
create index "cloudHealthEvents_line" on "cloudHealthEvents" ("companyId", "whatsappId", id desc);
select tenant_table('"cloudHealthEvents"');

-- Templates open conversations, which Meta's messaging limit counts over 24 hours.
create index messages_template on messages ("companyId", "whatsappId", "createdAt", "contactId")
  where "sendAs" ? 'template';

alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (kind in
  ('assigned', 'queued', 'mention', 'held', 'resting', 'hook-rests', 'hook-off', 'hook-gave-up', 'goal', 'unsent', 'line-health'));
