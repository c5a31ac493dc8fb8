-- The desk: lines and their leases, the journal of what arrived, who people are, tickets and messages.

create extension if not exists unaccent;
create extension if not exists pg_trgm;

-- Lower case without accents, for searches. The wrapper is immutable so that an index can hold it; the dictionary is
-- named, so a changed default cannot change its answers.
create function fold(t text) returns text language sql immutable parallel safe strict as $$ select lower(public.unaccent('public.unaccent', t)) $$;

-- A shortcut means one thing to who types it: once among one's own, once among those for everybody.
create unique index "quickMessages_own_key" on "quickMessages" ("companyId", "userId", lower(shortcode)) where not geral;
create unique index "quickMessages_all_key" on "quickMessages" ("companyId", lower(shortcode)) where geral;

-- ---- lines

alter table whatsapps
  add provider text not null default 'beta' check (provider in ('beta', 'cloud', 'sandbox')),
  add reason text not null default '',
  add number text not null default '',
  add qrcode text not null default '',
  add retries int not null default 0,
  -- The token of the external API: sealed to be shown to admins again, hashed to be looked up.
  add "tokenSealed" text not null default '',
  add "tokenHash" text,
  add "greetingMessage" text not null default '',
  add "complationMessage" text not null default '',
  add "outOfHoursMessage" text not null default '',
  add "ratingMessage" text not null default '',
  add "expiresTicket" int not null default 0,
  add "expiresInactiveMessage" text not null default '',
  add "timeToTransfer" int,
  add "transferQueueId" int,
  add "promptId" int,
  add "timeUseBotQueues" int not null default 0,
  add "maxUseBotQueues" int not null default 3,
  -- What is wanted; the supervisor makes it so. A new number in "wantedRound" means: begin again from nothing.
  add wanted boolean not null default false,
  add "wantedRound" int not null default 0,
  add foreign key ("companyId", "transferQueueId") references queues ("companyId", id) on delete set null ("transferQueueId");
create unique index whatsapps_token_key on whatsapps ("tokenHash");
create unique index whatsapps_default_key on whatsapps ("companyId") where "isDefault";
create index whatsapps_wanted on whatsapps (id) where wanted;
create index whatsapps_transfer on whatsapps ("companyId", "transferQueueId");

alter table queues
  add "integrationId" int,
  add "promptId" int,
  add schedules jsonb not null default '[]';

create table "whatsappQueues" (
  "companyId" int not null,
  "whatsappId" int not null,
  "queueId" int not null,
  primary key ("companyId", "whatsappId", "queueId"),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade,
  foreign key ("companyId", "queueId") references queues ("companyId", id) on delete cascade
);
create index "whatsappQueues_queue" on "whatsappQueues" ("companyId", "queueId");
select tenant_table('"whatsappQueues"');

-- A line runs in one process: whoever holds the lease. The fence grows with every change of hands, and what a former
-- holder still tries to write under the old number is refused.
create table "lineLeases" (
  "whatsappId" int primary key,
  "companyId" int not null,
  holder text not null,
  fence int not null default 1,
  until timestamptz not null,
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade
);
select tenant_table('"lineLeases"');
revoke insert, update, delete on "lineLeases" from recado_app;

-- ---- the test phone (provider 'sandbox')

create table "sandboxPhones" (
  "whatsappId" int primary key,
  "companyId" int not null,
  linked boolean not null default false,
  behaviour jsonb not null default '{}',
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade
);
select tenant_table('"sandboxPhones"');

create table "sandboxCustomers" (
  "companyId" int not null,
  "whatsappId" int not null,
  -- A phone number, or a group's own id.
  number text not null,
  name text not null,
  "isGroup" boolean not null default false,
  members text[] not null default '{}',
  "typingUntil" timestamptz,
  "createdAt" timestamptz not null default now(),
  primary key ("whatsappId", number),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade
);
create index "sandboxCustomers_company" on "sandboxCustomers" ("companyId", "whatsappId");
select tenant_table('"sandboxCustomers"');

create table "sandboxMessages" (
  seq bigint generated always as identity primary key,
  "companyId" int not null,
  "whatsappId" int not null,
  -- Whose phone shows it.
  chat text not null,
  id text not null,
  "fromCustomer" boolean not null,
  author text,
  kind text not null,
  body text not null default '',
  content jsonb not null default '{}',
  "mediaPath" text,
  "mediaName" text,
  "mediaType" text,
  "quotedId" text,
  reaction text,
  "isDeleted" boolean not null default false,
  "isEdited" boolean not null default false,
  ack int not null default 1,
  at timestamptz not null,
  -- What the customer did reaches the line once it is running; until then it waits here, as on WhatsApp's servers.
  delivered boolean not null default true,
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade,
  unique ("whatsappId", id)
);
create index "sandboxMessages_chat" on "sandboxMessages" ("companyId", "whatsappId", chat, seq desc);
create index "sandboxMessages_waiting" on "sandboxMessages" ("whatsappId", seq) where not delivered;
select tenant_table('"sandboxMessages"');

-- ---- who is this?

alter table contacts
  add uuid uuid not null default gen_random_uuid(),
  add "disableBot" boolean not null default false,
  -- The line that knew them first.
  add "whatsappId" int,
  -- Joined into another contact by later evidence; kept, so that it can be undone.
  add "mergedInto" int,
  -- What searches look into. Stored, because taking accents off costs far more than reading.
  add search text not null generated always as (fold(name) || E'\n' || number) stored,
  add foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete set null ("whatsappId"),
  add foreign key ("companyId", "mergedInto") references contacts ("companyId", id) on delete cascade;
-- With the text beside the order, a word that many have is looked for without a visit to the table.
create index contacts_page on contacts ("companyId", lower(name) collate "C", id) include (name, search) where "mergedInto" is null;
create index contacts_created on contacts ("companyId", "createdAt") where "mergedInto" is null;
create index contacts_merged on contacts ("companyId", "mergedInto") where "mergedInto" is not null;
create index contacts_whatsapp on contacts ("companyId", "whatsappId");
create index contacts_search on contacts using gin (search gin_trgm_ops);

-- Every way a person is known: a telephone (see identity.ts for the ninth digit), WhatsApp's hidden id (lid), the
-- official API's user id, a user name, a group. One way leads to one contact.
create table "contactIdentities" (
  "companyId" int not null,
  kind text not null check (kind in ('phone', 'lid', 'cloud', 'username', 'group')),
  value text not null,
  "contactId" int not null,
  "createdAt" timestamptz not null default now(),
  primary key ("companyId", kind, value),
  foreign key ("companyId", "contactId") references contacts ("companyId", id) on delete cascade
);
create index "contactIdentities_contact" on "contactIdentities" ("companyId", "contactId");
select tenant_table('"contactIdentities"');

create table "contactMerges" (
  id int generated by default as identity primary key,
  "companyId" int not null,
  "keptId" int not null,
  "mergedId" int not null,
  reason text not null,
  -- What moved, to be moved back: identities, tickets, and the open ticket that had to close.
  moved jsonb not null,
  at timestamptz not null default now(),
  "undoneAt" timestamptz,
  unique ("companyId", id),
  foreign key ("companyId", "keptId") references contacts ("companyId", id) on delete cascade,
  foreign key ("companyId", "mergedId") references contacts ("companyId", id) on delete cascade
);
create index "contactMerges_kept" on "contactMerges" ("companyId", "keptId");
create index "contactMerges_merged" on "contactMerges" ("companyId", "mergedId");
select tenant_table('"contactMerges"');

create table "contactFields" (
  id int generated by default as identity primary key,
  "companyId" int not null,
  "contactId" int not null,
  name text not null,
  value text not null default '',
  unique ("companyId", id),
  foreign key ("companyId", "contactId") references contacts ("companyId", id) on delete cascade
);
create index "contactFields_contact" on "contactFields" ("companyId", "contactId", id);
select tenant_table('"contactFields"');

-- ---- tickets

alter table tickets
  set (fillfactor = 75),
  -- Lists come in this order first and are sorted within the minute. A burst of messages changes no index then, and
  -- the update of the ticket stays on its page (HOT): four times cheaper, on the busiest row there is.
  add "updatedMinute" int not null generated always as (floor(extract(epoch from "updatedAt" at time zone 'UTC') / 60)::int) stored,
  add "lastMessage" text not null default '',
  add "unreadMessages" int not null default 0,
  add "isGroup" boolean not null default false,
  add chatbot boolean not null default false,
  add "useIntegration" boolean not null default false,
  add "promptId" int,
  add "integrationId" int,
  -- Who spoke last: the inactivity timer reads it.
  add "fromMe" boolean not null default false;
-- At most one living ticket per contact and line, whoever races.
create unique index tickets_living_key on tickets ("companyId", "contactId", "whatsappId") where status in ('open', 'pending');
create index tickets_status on tickets ("companyId", status, "updatedMinute" desc);
create index tickets_of_user on tickets ("companyId", "userId", status, "updatedMinute" desc);
create index tickets_of_queue on tickets ("companyId", "queueId", status, "updatedMinute" desc);
create index tickets_history on tickets ("companyId", "contactId", "whatsappId", id desc);
drop index tickets_contact;
drop index tickets_user;
drop index tickets_queue;
-- Deleting a line is rare: the history index finds its tickets too.
drop index tickets_whatsapp;

create table "ticketTracking" (
  id int generated by default as identity primary key,
  "companyId" int not null,
  "ticketId" int not null,
  "whatsappId" int,
  "userId" int,
  "queuedAt" timestamptz,
  "startedAt" timestamptz,
  "ratingAt" timestamptz,
  "finishedAt" timestamptz,
  "chatbotAt" timestamptz,
  rated boolean not null default false,
  "createdAt" timestamptz not null default now(),
  unique ("companyId", id),
  foreign key ("companyId", "ticketId") references tickets ("companyId", id) on delete cascade,
  foreign key ("companyId", "userId") references users ("companyId", id) on delete set null ("userId"),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete set null ("whatsappId")
);
create unique index "ticketTracking_open_key" on "ticketTracking" ("companyId", "ticketId") where "finishedAt" is null;
create index "ticketTracking_ticket" on "ticketTracking" ("companyId", "ticketId");
create index "ticketTracking_user" on "ticketTracking" ("companyId", "userId", "finishedAt");
create index "ticketTracking_whatsapp" on "ticketTracking" ("companyId", "whatsappId");
create index "ticketTracking_finished" on "ticketTracking" ("companyId", "finishedAt");
select tenant_table('"ticketTracking"');

-- What people and the house did with a ticket, each with its reason (see also journal.steps).
create table "ticketEvents" (
  id bigint generated always as identity primary key,
  "companyId" int not null,
  "ticketId" int not null,
  "userId" int,
  kind text not null,
  steps jsonb not null default '[]',
  at timestamptz not null,
  foreign key ("companyId", "ticketId") references tickets ("companyId", id) on delete cascade,
  foreign key ("companyId", "userId") references users ("companyId", id) on delete set null ("userId")
);
create index "ticketEvents_ticket" on "ticketEvents" ("companyId", "ticketId", id desc);
create index "ticketEvents_user" on "ticketEvents" ("companyId", "userId");
select tenant_table('"ticketEvents"');

create table "ticketNotes" (
  id int generated by default as identity primary key,
  "companyId" int not null,
  "ticketId" int not null,
  "contactId" int not null,
  "userId" int,
  "userName" text not null,
  note text not null,
  "createdAt" timestamptz not null default now(),
  unique ("companyId", id),
  foreign key ("companyId", "ticketId") references tickets ("companyId", id) on delete cascade,
  foreign key ("companyId", "contactId") references contacts ("companyId", id) on delete cascade,
  foreign key ("companyId", "userId") references users ("companyId", id) on delete set null ("userId")
);
create index "ticketNotes_contact" on "ticketNotes" ("companyId", "contactId", id desc);
create index "ticketNotes_ticket" on "ticketNotes" ("companyId", "ticketId", id desc);
create index "ticketNotes_user" on "ticketNotes" ("companyId", "userId");
select tenant_table('"ticketNotes"');

-- ---- messages

create table messages (
  id bigint generated always as identity,
  "companyId" int not null,
  "ticketId" int not null,
  -- The contact whose chat it is: of a group, the group. "senderId" is the member who wrote.
  "contactId" int not null,
  "whatsappId" int not null,
  "senderId" int,
  "userId" int,
  -- The vendor's id, chosen by us for what we send: the same message twice is one row.
  wid text not null,
  -- The sending browser's own name for it: a sending that is repeated is one message.
  "clientId" text,
  "fromMe" boolean not null,
  body text not null default '',
  "mediaType" text not null default 'conversation',
  "mediaPath" text,
  "mediaName" text,
  "mediaState" text not null default 'none' check ("mediaState" in ('none', 'pending', 'ready', 'failed')),
  -- How the line can fetch the file.
  "mediaKey" jsonb,
  "quotedWid" text,
  ack smallint not null default 0,
  -- Ours: queued, then sent or failed. Theirs: received.
  state text not null default 'received' check (state in ('received', 'queued', 'sending', 'sent', 'failed')),
  error text,
  read boolean not null default false,
  "isDeleted" boolean not null default false,
  "isEdited" boolean not null default false,
  bot text,
  reactions jsonb not null default '[]',
  -- The sender's clock, not ours.
  "createdAt" timestamptz not null,
  "storedAt" timestamptz not null default now(),
  -- Also the way to the newest of a company. One index less on the busiest table.
  primary key ("companyId", id),
  -- The contact is the ticket's: it needs no reference of its own, which would cost a look-up for every message.
  foreign key ("companyId", "ticketId") references tickets ("companyId", id) on delete cascade
);
create unique index messages_wid_key on messages ("whatsappId", wid);
create unique index messages_client_key on messages ("companyId", "clientId") where "clientId" is not null;
-- Pictures and papers of a contact, newest first.
create index messages_media on messages ("companyId", "contactId", "createdAt" desc, id desc) where "mediaPath" is not null;
create index messages_thread on messages ("companyId", "contactId", "whatsappId", "createdAt" desc, id desc);
create index messages_ticket on messages ("companyId", "ticketId", id desc);
-- Joining two contacts finds what one of them wrote into groups.
create index messages_sender on messages ("companyId", "senderId") where "senderId" is not null;
create index messages_unread on messages ("companyId", "ticketId") where not read and not "fromMe";
create index messages_outbox on messages ("whatsappId", id) where state in ('queued', 'sending');
create index messages_search on messages using gin (fold(body) gin_trgm_ops) with (gin_pending_list_limit = 512);
select tenant_table('messages');

-- ---- being told while no tab is open

-- What the platform itself keeps sealed: the keys that push services know it by. No company reads it.
create table "platformSecrets" (
  name text primary key,
  sealed text not null
);
grant select, insert, update on "platformSecrets" to recado_platform;

create table "pushSubscriptions" (
  id int generated by default as identity primary key,
  "companyId" int not null,
  "userId" int not null,
  -- Worth something only while this session lives: a browser that was logged out shows nothing.
  "sessionId" uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  "createdAt" timestamptz not null default now(),
  unique ("companyId", id),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete cascade
);
-- One browser is one row, whoever uses it. An address can be longer than an index takes.
create unique index "pushSubscriptions_endpoint_key" on "pushSubscriptions" (md5(endpoint));
create index "pushSubscriptions_user" on "pushSubscriptions" ("companyId", "userId");
select tenant_table('"pushSubscriptions"');

-- ---- words between processes

-- What is too long for a notification. The names are those of socket.io's adapter, which empties it too.
create table "liveWords" (
  id bigserial primary key,
  created_at timestamptz not null default now(),
  payload bytea
);
grant select, insert, delete on "liveWords" to recado_platform;
grant usage on sequence "liveWords_id_seq" to recado_platform;

-- ---- the journal

-- What lines told us, in the order they told it. Append-only; a row is finished when "processedAt" is set.
create table journal (
  id bigint generated always as identity primary key,
  "companyId" int not null,
  "whatsappId" int not null,
  -- Unique per line: the same event twice, at once or a day apart, is one row.
  "eventId" text not null,
  chat text not null,
  kind text not null,
  event jsonb not null,
  "receivedAt" timestamptz not null,
  "processedAt" timestamptz,
  attempts int not null default 0,
  error text,
  "ticketId" int,
  -- An edit, a delete or a reaction that came before its message: the id of that message. Done with it when it comes.
  "waitsFor" text,
  -- What was decided and why, in words the screen translates.
  steps jsonb not null default '[]'
);
-- Only who holds the line's lease writes here, which refers to the line: a reference of its own would be looked up for
-- every event. What it would do when a line is deleted, this does.
create function forget_journal() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from journal where "companyId" = old."companyId" and "whatsappId" = old.id;
  return null;
end $$;
create trigger forget_journal after delete on whatsapps for each row execute function forget_journal();
create unique index journal_event_key on journal ("whatsappId", "eventId");
create index journal_waiting on journal ("whatsappId", id) where "processedAt" is null;
create index journal_early on journal ("whatsappId", "waitsFor", id) where "waitsFor" is not null;
create index journal_ticket on journal ("companyId", "ticketId", id desc) where "ticketId" is not null;
create index journal_chat on journal ("companyId", "whatsappId", chat, id desc);
select tenant_table('journal');

-- What a line still has to do besides sending: take a message back, mark read, fetch a file. Done in order, tried
-- again with growing pauses, by whichever process runs the line.
create table "lineErrands" (
  id bigint generated always as identity primary key,
  "companyId" int not null,
  "whatsappId" int not null,
  errand jsonb not null,
  attempts int not null default 0,
  "notBefore" timestamptz not null,
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade
);
create index "lineErrands_due" on "lineErrands" ("whatsappId", "notBefore", id);
select tenant_table('"lineErrands"');

-- ---- searching
-- Row-level security lets no index for LIKE be used by the ordinary role (the operator is not leak-proof). These two
-- run as the platform's role and filter by the caller's own company themselves: the wall stays where it was.

-- Newest first, and never more than asked: a word that everybody writes must not read every message.
create function find_messages(needle text, most int) returns table ("ticketId" int, "createdAt" timestamptz)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  company int := nullif(current_setting('app.company_id', true), '')::int;
  pattern text := '%' || replace(replace(replace(fold(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%';
  sample int;
begin
  -- Is it common? Then the newest few thousand, one after the other, hold enough of it.
  select count(*) into sample
    from (select m.body from messages m where m."companyId" = company order by m.id desc limit 500) m
    where fold(m.body) like pattern;
  if sample >= 10 then
    return query
      select m."ticketId", m."createdAt"
      from (select * from messages m where m."companyId" = company order by m.id desc limit 5000) m
      where fold(m.body) like pattern and not m."isDeleted" limit most;
    return;
  end if;
  -- A rare word: the index knows where.
  return query
    select h."ticketId", h."createdAt" from (
      select m."ticketId", m."createdAt" from messages m where m."companyId" = company and fold(m.body) like pattern and not m."isDeleted" limit 5000
    ) h order by h."createdAt" desc limit most;
end $$;

-- The index answers by a bitmap alone, which reads everything that contains the word's parts. Left to itself the planner
-- hopes to meet enough hits early and reads the whole table for a word that hardly anybody has.
create function find_contacts(needle text, most int) returns table (id int)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  company int := nullif(current_setting('app.company_id', true), '')::int;
  -- Of a number as people write it, only the digits count.
  pattern text := '%' || case when needle ~ '^[-+() .0-9]*[0-9][-+() .0-9]*$' then regexp_replace(needle, '[^0-9]', '', 'g')
    else replace(replace(replace(fold(needle), '\', '\\'), '%', '\%'), '_', '\_') end || '%';
  sample int;
begin
  select count(*) into sample
    from (select c.search from contacts c where c."companyId" = company and c."mergedInto" is null limit 500) c
    where c.search like pattern;
  if sample >= 10 or length(pattern) < 5 then
    return query select c.id from contacts c
      where c."companyId" = company and c."mergedInto" is null and c.search like pattern limit most;
  else
    return query select * from find_rare_contacts(company, pattern, most);
  end if;
end $$;
create function find_rare_contacts(company int, pattern text, most int) returns setof int
language sql stable set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select c.id from contacts c where c."companyId" = company and c."mergedInto" is null and c.search like pattern limit most
$$;
grant create on schema public to recado_platform;
alter function find_messages owner to recado_platform;
alter function find_contacts owner to recado_platform;
alter function find_rare_contacts owner to recado_platform;
alter function forget_journal owner to recado_platform;
revoke create on schema public from recado_platform;
revoke all on function find_messages, find_contacts, find_rare_contacts from public;
grant execute on function find_messages, find_contacts to recado_app;
