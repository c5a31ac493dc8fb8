-- A person connects a number with Meta's Embedded Signup: the one-time state of its dialog, one per person.
create table "lineSignups" (
  "companyId" int not null,
  "userId" int not null,
  "stateHash" text not null,
  name text not null default '',
  -- The line to connect; null: a new one.
  "whatsappId" int,
  "wantsHistory" boolean not null default false,
  "expiresAt" timestamptz not null,
  -- Set before the code is exchanged, so that no code is tried twice.
  "usedAt" timestamptz,
  -- The token that Meta gave for the code. It is kept until the line is stored, because no second code can be had.
  "accessTokenSealed" text not null default '',
  primary key ("companyId", "userId"),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete cascade,
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade
);
select tenant_table('"lineSignups"');

-- The line uses the operator's app at Meta: its secret signs, and the webhook is set per account.
alter table "cloudLines" add "platformApp" boolean not null default false;
