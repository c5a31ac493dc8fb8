-- A customer who had said stop may be written to again: by which words they allowed it, and who noted them.
create table "campaignConsents" (
  id int generated always as identity,
  "companyId" int not null references companies on delete cascade,
  "contactId" int not null,
  words text not null,
  "userId" int,
  "userName" text not null default '',
  at timestamptz not null default now(),
  primary key ("companyId", id),
  foreign key ("companyId", "contactId") references contacts ("companyId", id) on delete cascade,
  foreign key ("companyId", "userId") references users ("companyId", id) on delete set null ("userId")
);
create index "campaignConsents_contact" on "campaignConsents" ("companyId", "contactId", id desc);
create index "campaignConsents_user" on "campaignConsents" ("companyId", "userId");
select tenant_table('"campaignConsents"');
