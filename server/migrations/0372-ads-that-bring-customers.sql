-- The ads and posts that made customers write. A message has the ad that it came from, a ticket the last one.
create table ads (
  id int generated always as identity,
  "companyId" int not null references companies (id) on delete cascade,
  -- The vendor's id of the ad, or else its address.
  key text not null,
  "sourceType" text not null default '',
  "sourceId" text not null default '',
  title text not null default '',
  body text not null default '',
  url text not null default '',
  picture text not null default '',
  "createdAt" timestamptz not null default now(),
  primary key ("companyId", id)
);
create unique index ads_key on ads ("companyId", key);
select tenant_table('ads');

-- The click's own id (ctwa_clid) reports a sale back to the ad.
alter table messages add "adId" int, add "adClickId" text;
alter table tickets add "adId" int;
create index tickets_ad on tickets ("companyId", "adId", "createdAt") where "adId" is not null;
