-- What a model is told, and which one is asked. The key is sealed; its last signs stay readable, to tell one from another.
create table prompts (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  name text not null,
  prompt text not null,
  model text not null,
  "maxTokens" int not null,
  temperature double precision not null,
  "apiKeySealed" text not null,
  "apiKeyEnd" text not null default '',
  "maxMessages" int not null,
  "queueId" int,
  "baseUrl" text not null default '',
  tools text[] not null default '{transfer_to_queue,transfer_to_person,set_tag}',
  "canHear" boolean not null default false,
  "canSee" boolean not null default false,
  "forAgents" boolean not null default false,
  "dailyTokens" int not null default 0,
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null default now(),
  unique ("companyId", id),
  foreign key ("companyId", "queueId") references queues ("companyId", id) on delete set null ("queueId")
);
create index prompts_page on prompts ("companyId", lower(name) collate "C", id);
create index prompts_queue on prompts ("companyId", "queueId");
select tenant_table('prompts');

-- What each prompt has used on a day of the company.
create table "promptTokens" (
  "companyId" int not null,
  "promptId" int not null,
  day date not null,
  tokens int not null default 0,
  primary key ("companyId", "promptId", day),
  foreign key ("companyId", "promptId") references prompts ("companyId", id) on delete cascade
);
select tenant_table('"promptTokens"');

create table "queueIntegrations" (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  type text not null check (type in ('typebot', 'n8n', 'webhook', 'dialogflow')),
  name text not null,
  "projectName" text not null default '',
  "jsonSealed" text not null default '',
  -- What n8n and webhook sign with.
  "secretSealed" text not null default '',
  language text not null default '',
  "urlN8N" text not null default '',
  "typebotSlug" text not null default '',
  "typebotExpires" int not null default 1,
  "typebotDelayMessage" int not null default 1000,
  "typebotKeywordFinish" text not null default '',
  "typebotKeywordRestart" text not null default '',
  "typebotUnknownMessage" text not null default '',
  "typebotRestartMessage" text not null default '',
  -- Failures since the last answer. After too many it is left alone for a while.
  "failuresInRow" int not null default 0,
  "lastError" text not null default '',
  "restsUntil" timestamptz,
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null default now(),
  unique ("companyId", id)
);
select tenant_table('"queueIntegrations"');

-- What machines of others were asked and what they answered, without keys, for admins to read.
create table "machineCalls" (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  kind text not null check (kind in ('prompt', 'voice', 'typebot', 'dialogflow', 'n8n', 'webhook')),
  "promptId" int,
  "integrationId" int,
  "ticketId" int,
  at timestamptz not null default now(),
  ms int not null default 0,
  status int not null default 0,
  ok boolean not null default false,
  "tokensIn" int not null default 0,
  "tokensOut" int not null default 0,
  asked text not null default '',
  answered text not null default '',
  error text not null default '',
  unique ("companyId", id),
  foreign key ("companyId", "promptId") references prompts ("companyId", id) on delete cascade,
  foreign key ("companyId", "integrationId") references "queueIntegrations" ("companyId", id) on delete cascade,
  foreign key ("companyId", "ticketId") references tickets ("companyId", id) on delete cascade
);
create index "machineCalls_prompt" on "machineCalls" ("companyId", "promptId", id) where "promptId" is not null;
create index "machineCalls_integration" on "machineCalls" ("companyId", "integrationId", id) where "integrationId" is not null;
create index "machineCalls_ticket" on "machineCalls" ("companyId", "ticketId", id) where "ticketId" is not null;
create index "machineCalls_old" on "machineCalls" (at);
select tenant_table('"machineCalls"');

-- Until now no number could mean anything.
update whatsapps set "promptId" = null where "promptId" is not null;
update queues set "promptId" = null, "integrationId" = null where "promptId" is not null or "integrationId" is not null;
update tickets set "promptId" = null, "integrationId" = null where "promptId" is not null or "integrationId" is not null;
alter table whatsapps add "integrationId" int;
alter table whatsapps
  add foreign key ("companyId", "promptId") references prompts ("companyId", id),
  add foreign key ("companyId", "integrationId") references "queueIntegrations" ("companyId", id);
alter table queues
  add foreign key ("companyId", "promptId") references prompts ("companyId", id),
  add foreign key ("companyId", "integrationId") references "queueIntegrations" ("companyId", id);
-- What a machine remembers of a conversation: the session of a flow, how often it did not understand.
alter table tickets add "botSession" jsonb;
alter table tickets
  add foreign key ("companyId", "promptId") references prompts ("companyId", id) on delete set null ("promptId"),
  add foreign key ("companyId", "integrationId") references "queueIntegrations" ("companyId", id) on delete set null ("integrationId");
create index whatsapps_prompt on whatsapps ("companyId", "promptId") where "promptId" is not null;
create index whatsapps_integration on whatsapps ("companyId", "integrationId") where "integrationId" is not null;
create index queues_prompt on queues ("companyId", "promptId") where "promptId" is not null;
create index queues_integration on queues ("companyId", "integrationId") where "integrationId" is not null;
create index tickets_prompt on tickets ("companyId", "promptId") where "promptId" is not null;
create index tickets_integration on tickets ("companyId", "integrationId") where "integrationId" is not null;

-- The words of a voice note, where a machine has heard it.
alter table messages add transcript text;

create trigger renew_rules_machines after update of "promptId", "integrationId" on whatsapps for each row execute function renew_rules();
