-- Keys for programs. The key itself is not here: its mark is made with the house's secret. The token of a connection has
-- a row too, made when it is first used, so that everything a program sends has a key it came with.
create table "apiKeys" (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  kind text not null default 'key' check (kind in ('key', 'line')),
  name text not null,
  mark text unique,
  hint text not null default '',
  scopes text[] not null,
  "whatsappIds" int[] not null default '{}',
  -- Of a connection's token: which one.
  "whatsappId" int,
  "expiresAt" timestamptz,
  "lastUsedAt" timestamptz,
  "revokedAt" timestamptz,
  "userId" int,
  "createdAt" timestamptz not null default now(),
  unique ("companyId", id),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete set null ("userId"),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade
);
create unique index "apiKeys_line" on "apiKeys" ("companyId", "whatsappId") where kind = 'line';
create index "apiKeys_page" on "apiKeys" ("companyId", id desc) where kind = 'key';
create index "apiKeys_user" on "apiKeys" ("companyId", "userId");
select tenant_table('"apiKeys"');

-- Which key a message was sent with. A key is revoked and not deleted; that of a line goes with its line.
alter table messages add column "apiKeyId" int;
alter table messages add constraint "messages_apiKey" foreign key ("companyId", "apiKeyId") references "apiKeys" ("companyId", id)
  on delete set null ("apiKeyId") not valid;
create index "messages_apiKey" on messages ("companyId", "apiKeyId") where "apiKeyId" is not null;

-- The same call again is the same message and the same answer, for a day.
create table "apiCalls" (
  "companyId" int not null references companies on delete cascade,
  "apiKeyId" int not null,
  key text not null,
  -- What was asked, to tell another question under the same key.
  asked text not null,
  -- Null while it is being answered.
  reply jsonb,
  "createdAt" timestamptz not null default now(),
  primary key ("companyId", "apiKeyId", key),
  foreign key ("companyId", "apiKeyId") references "apiKeys" ("companyId", id) on delete cascade
);
create index "apiCalls_old" on "apiCalls" ("createdAt");
select tenant_table('"apiCalls"');

-- Who did what that somebody may ask about later. No customer is in it.
create table audit (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  deed text not null,
  about int not null,
  name text not null default '',
  "userId" int,
  "userName" text not null default '',
  at timestamptz not null default now(),
  unique ("companyId", id),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete set null ("userId")
);
create index audit_page on audit ("companyId", id desc);
create index audit_user on audit ("companyId", "userId");
select tenant_table('audit');

-- Every process forgets at once what it remembers of a key (migration 0013).
create trigger who_changed after insert or update or delete on "apiKeys" for each statement execute function say_who_changed();
create trigger who_changed after update of "tokenHash" on whatsapps for each statement execute function say_who_changed();
