-- Whom campaigns are for: lists of people, each by rows or by a question (then it has none).
create table "contactLists" (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  name text not null,
  question jsonb,
  -- Kept by who writes the rows, with the list held: counting a hundred thousand for each list on a page would take its time.
  "contactsCount" int not null default 0,
  "validCount" int not null default 0,
  "invalidCount" int not null default 0,
  "createdAt" timestamptz not null default now(),
  unique ("companyId", id)
);
create index "contactLists_page" on "contactLists" ("companyId", lower(name) collate "C", id);
select tenant_table('"contactLists"');

create table "contactListItems" (
  id int generated always as identity primary key,
  "companyId" int not null,
  "contactListId" int not null,
  name text not null,
  number text not null,
  email text not null default '',
  -- The telephone as contacts are known by it: the same one twice in a list is one item.
  key text not null,
  -- Null: not known yet. Then it is checked, from this moment on; after a check that failed, later.
  "isWhatsappValid" boolean,
  "checkAfter" timestamptz not null default now(),
  "checkTries" int not null default 0,
  "createdAt" timestamptz not null default now(),
  unique ("companyId", id),
  foreign key ("companyId", "contactListId") references "contactLists" ("companyId", id) on delete cascade
);
create unique index "contactListItems_key" on "contactListItems" ("companyId", "contactListId", key);
create index "contactListItems_page" on "contactListItems" ("companyId", "contactListId", lower(name) collate "C", id);
create index "contactListItems_all" on "contactListItems" ("companyId", lower(name) collate "C", id);
create index "contactListItems_unchecked" on "contactListItems" ("companyId", "checkAfter") where "isWhatsappValid" is null;
select tenant_table('"contactListItems"');

-- A spreadsheet on its way into a list. `done` says how many of its rows were dealt with: who takes it up goes on there.
create table "listImports" (
  id int generated always as identity primary key,
  "companyId" int not null,
  "contactListId" int not null,
  "userId" int,
  "fileName" text not null,
  "filePath" text,
  state text not null default 'preview' check (state in ('preview', 'running', 'done', 'stopped', 'failed')),
  error text,
  headers jsonb not null default '[]',
  columns jsonb not null default '{"name": null, "number": null, "email": null}',
  samples jsonb not null default '[]',
  errors jsonb not null default '[]',
  total int not null default 0,
  done int not null default 0,
  created int not null default 0,
  doubled int not null default 0,
  refused int not null default 0,
  "createdAt" timestamptz not null default now(),
  "endedAt" timestamptz,
  unique ("companyId", id),
  foreign key ("companyId", "contactListId") references "contactLists" ("companyId", id) on delete cascade,
  foreign key ("companyId", "userId") references users ("companyId", id) on delete set null ("userId")
);
create index "listImports_list" on "listImports" ("companyId", "contactListId", id desc);
create index "listImports_user" on "listImports" ("companyId", "userId") where "userId" is not null;
select tenant_table('"listImports"');

create table campaigns (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  name text not null,
  status text not null default 'INATIVA' check (status in ('INATIVA', 'PROGRAMADA', 'EM_ANDAMENTO', 'CANCELADA', 'FINALIZADA')),
  "contactListId" int,
  "tagId" int,
  "whatsappId" int,
  "queueId" int,
  "fileListId" int,
  message1 text not null default '',
  message2 text not null default '',
  message3 text not null default '',
  message4 text not null default '',
  message5 text not null default '',
  confirmation boolean not null default false,
  "confirmationMessage1" text not null default '',
  "confirmationMessage2" text not null default '',
  "confirmationMessage3" text not null default '',
  "confirmationMessage4" text not null default '',
  "confirmationMessage5" text not null default '',
  "mediaPath" text,
  "mediaName" text,
  -- Of the file: what kind of message it makes, its size and its pages.
  file jsonb,
  -- On an official line: which template, with what in its gaps, and the template as it was when it was chosen.
  template jsonb,
  "scheduledAt" timestamptz,
  "startedAt" timestamptz,
  "completedAt" timestamptz,
  -- Too many failed in a row: it waits for somebody. Only failures after `freshSince` count.
  held text,
  "freshSince" timestamptz not null default now(),
  -- What was planned when it started, and how many of the list were found to be there twice.
  planned jsonb,
  -- How many have come how far, as they were last counted.
  counts jsonb not null default '{}',
  "userId" int,
  "createdAt" timestamptz not null default now(),
  unique ("companyId", id),
  foreign key ("companyId", "contactListId") references "contactLists" ("companyId", id) on delete set null ("contactListId"),
  foreign key ("companyId", "tagId") references tags ("companyId", id) on delete set null ("tagId"),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete set null ("whatsappId"),
  foreign key ("companyId", "queueId") references queues ("companyId", id) on delete set null ("queueId"),
  foreign key ("companyId", "fileListId") references files ("companyId", id) on delete set null ("fileListId"),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete set null ("userId")
);
create index campaigns_page on campaigns ("companyId", id desc);
create index campaigns_list on campaigns ("companyId", "contactListId") where "contactListId" is not null;
create index campaigns_tag on campaigns ("companyId", "tagId") where "tagId" is not null;
create index campaigns_queue on campaigns ("companyId", "queueId") where "queueId" is not null;
create index campaigns_file on campaigns ("companyId", "fileListId") where "fileListId" is not null;
create index campaigns_user on campaigns ("companyId", "userId") where "userId" is not null;
create index campaigns_line on campaigns ("companyId", "whatsappId") where "whatsappId" is not null;
-- What the clock looks at.
create index campaigns_due on campaigns ("scheduledAt") where status = 'PROGRAMADA';
create index campaigns_running on campaigns ("whatsappId") where status = 'EM_ANDAMENTO';
select tenant_table('campaigns');

create table "campaignSettings" (
  "companyId" int not null references companies on delete cascade,
  key text not null,
  value jsonb not null,
  primary key ("companyId", key)
);
select tenant_table('"campaignSettings"');

-- One row for each person of a campaign, with the text chosen for them: what was prepared is what is sent.
create table "campaignShippings" (
  id bigint generated always as identity primary key,
  "companyId" int not null,
  "campaignId" int not null,
  -- Null: nobody of ours yet, or not any more.
  "contactId" int,
  -- The telephone as contacts are known by it; of who has none, `c:` and the contact.
  key text not null,
  name text not null,
  number text not null,
  email text not null default '',
  variant int not null default 1,
  body text not null default '',
  "confirmationBody" text not null default '',
  -- pending: waits its turn. asked: the question has left. confirmed: said yes, waits its turn. queued: its message is
  -- stored and on its way. Then sent or failed; skipped gets nothing.
  state text not null default 'pending' check (state in ('pending', 'asked', 'confirmed', 'queued', 'sent', 'failed', 'skipped')),
  reason text,
  "whatsappId" int,
  -- The last message of what was sent, and the question before it.
  "messageId" bigint,
  "confirmationId" bigint,
  "askedAt" timestamptz,
  "confirmedAt" timestamptz,
  "queuedAt" timestamptz,
  "sentAt" timestamptz,
  "deliveredAt" timestamptz,
  "readAt" timestamptz,
  "answeredAt" timestamptz,
  "stoppedAt" timestamptz,
  -- When it last left or failed, for counting failures in a row.
  "settledAt" timestamptz,
  unique ("companyId", id),
  foreign key ("companyId", "campaignId") references campaigns ("companyId", id) on delete cascade,
  foreign key ("companyId", "contactId") references contacts ("companyId", id) on delete set null ("contactId"),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete set null ("whatsappId")
);
create unique index "campaignShippings_once" on "campaignShippings" ("companyId", "campaignId", key);
create index "campaignShippings_waiting" on "campaignShippings" ("campaignId", state, id) where state in ('pending', 'confirmed');
create index "campaignShippings_asked" on "campaignShippings" ("askedAt") where state = 'asked';
create index "campaignShippings_state" on "campaignShippings" ("companyId", "campaignId", state, id);
create index "campaignShippings_contact" on "campaignShippings" ("companyId", "contactId", "queuedAt" desc) where "contactId" is not null;
create index "campaignShippings_message" on "campaignShippings" ("messageId") where "messageId" is not null;
create index "campaignShippings_question" on "campaignShippings" ("confirmationId") where "confirmationId" is not null;
create index "campaignShippings_settled" on "campaignShippings" ("companyId", "whatsappId", "settledAt" desc) where "settledAt" is not null;
create index "campaignShippings_line" on "campaignShippings" ("companyId", "whatsappId") where "whatsappId" is not null;
create index "campaignShippings_lately" on "campaignShippings" ("companyId", key, "queuedAt") where "queuedAt" is not null;
select tenant_table('"campaignShippings"');

-- Who wants no campaigns, by telephone: whoever deletes the contact, or imports the number again, does not undo it.
create table "campaignStops" (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  key text not null,
  "contactId" int,
  "whatsappId" int,
  "campaignId" int,
  "userId" int,
  word text not null default '',
  at timestamptz not null,
  unique ("companyId", id),
  foreign key ("companyId", "contactId") references contacts ("companyId", id) on delete set null ("contactId"),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete set null ("whatsappId"),
  foreign key ("companyId", "campaignId") references campaigns ("companyId", id) on delete set null ("campaignId"),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete set null ("userId")
);
create unique index "campaignStops_key" on "campaignStops" ("companyId", key);
create index "campaignStops_contact" on "campaignStops" ("companyId", "contactId") where "contactId" is not null;
create index "campaignStops_line" on "campaignStops" ("companyId", "whatsappId") where "whatsappId" is not null;
create index "campaignStops_campaign" on "campaignStops" ("companyId", "campaignId") where "campaignId" is not null;
create index "campaignStops_user" on "campaignStops" ("companyId", "userId") where "userId" is not null;
select tenant_table('"campaignStops"');

-- The pace of a line, which all campaigns on it share: when the next may leave, and what has left since the last long
-- pause and on this day. Who sends holds this row, so of two processes one sends.
create table "campaignLines" (
  "companyId" int not null,
  "whatsappId" int primary key,
  "nextAt" timestamptz not null,
  "inRow" int not null default 0,
  day text not null default '',
  "sentToday" int not null default 0,
  -- Whose turn it was: the next one is another campaign's.
  turn int not null default 0,
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade
);
create index "campaignLines_company" on "campaignLines" ("companyId", "whatsappId");
create index "campaignLines_next" on "campaignLines" ("nextAt");
select tenant_table('"campaignLines"');

-- Something happened to people of a campaign: its numbers are to be counted anew at this moment, and told. A row of its
-- own, so that a tick never waits for who changes the campaign.
create table "campaignNews" (
  "companyId" int not null,
  "campaignId" int primary key,
  at timestamptz not null,
  foreign key ("companyId", "campaignId") references campaigns ("companyId", id) on delete cascade
);
create index "campaignNews_company" on "campaignNews" ("companyId", "campaignId");
create index "campaignNews_at" on "campaignNews" (at);
select tenant_table('"campaignNews"');

-- Which campaign a message is of, or answers to. No reference: a campaign that goes leaves the history as it is.
alter table messages add "campaignId" int, add "ackAt" timestamptz;

-- What becomes of a campaign's message is written to its person in the same breath, whichever way it became known.
create function campaign_message() returns trigger language plpgsql as $$
declare
  moment timestamptz := coalesce(new."ackAt", now());
  found int;
begin
  update "campaignShippings" s set
    state = case when new.state = 'failed' then 'failed' when new.state = 'sent' then 'sent' else 'queued' end,
    reason = case when new.state = 'failed' then new.error end,
    "sentAt" = case when new.state = 'sent' then coalesce(s."sentAt", moment) end,
    "deliveredAt" = case when new.state = 'sent' and new.ack >= 3 then coalesce(s."deliveredAt", moment) end,
    "readAt" = case when new.state = 'sent' and new.ack >= 4 then coalesce(s."readAt", moment) end,
    "settledAt" = case when new.state in ('sent', 'failed') then coalesce(s."settledAt", moment) end
  where s."companyId" = new."companyId" and s."messageId" = new.id;
  get diagnostics found = row_count;
  if found = 0 and new.state = 'failed' then
    update "campaignShippings" s set state = 'failed', reason = new.error, "settledAt" = moment
    where s."companyId" = new."companyId" and s."confirmationId" = new.id and s.state = 'asked';
  end if;
  insert into "campaignNews" ("companyId", "campaignId", at)
  select c."companyId", c.id, moment from campaigns c where c."companyId" = new."companyId" and c.id = new."campaignId"
  on conflict do nothing;
  return null;
end $$;
create trigger campaign_message after update of state, ack, error on messages for each row
  when (new."campaignId" is not null and new."fromMe"
    and (old.state, old.ack, old.error) is distinct from (new.state, new.ack, new.error))
  execute function campaign_message();

-- What customers may say to campaigns is part of the rules of a company, and so is whether there are any.
create trigger renew_rules after insert or update or delete on "campaignSettings" for each row execute function renew_rules();
create trigger renew_rules after insert or delete on campaigns for each row execute function renew_rules();
