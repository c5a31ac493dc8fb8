-- Meta's prices, as the super user entered them. One row for the installation; without it the example counts.
create table "messagePrices" (
  id boolean primary key default true check (id),
  lists jsonb not null,
  "updatedAt" timestamptz not null default now()
);
select platform_table('"messagePrices"');

-- What Meta charges for a delivered message of ours. It keeps no person, so it stays when messages are deleted.
create table "messageCosts" (
  id bigint generated always as identity,
  "companyId" int not null references companies (id) on delete cascade,
  "messageId" bigint not null,
  "whatsappId" int,
  "campaignId" int,
  template text not null default '',
  category text not null check (category in ('', 'marketing', 'utility', 'authentication', 'authentication-international', 'service')),
  country text not null default '',
  "isCharged" boolean not null,
  -- Whole millionths of the currency. Null: charged, but the price list has no price.
  micros bigint check (micros >= 0),
  currency text,
  at timestamptz not null default now(),
  primary key ("companyId", id),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete set null ("whatsappId"),
  foreign key ("companyId", "campaignId") references campaigns ("companyId", id) on delete set null ("campaignId"),
  check ((micros is null) = (currency is null))
);
create unique index "messageCosts_message" on "messageCosts" ("companyId", "messageId");
create index "messageCosts_at" on "messageCosts" ("companyId", at);
create index "messageCosts_campaign" on "messageCosts" ("companyId", "campaignId") where "campaignId" is not null;
create index "messageCosts_line" on "messageCosts" ("companyId", "whatsappId");
select tenant_table('"messageCosts"');
