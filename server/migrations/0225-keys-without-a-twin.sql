-- The second half of 0196: its keys stood beside the ones that the release before it named where two write at once, and
-- nobody names those any more. A release that does not know 0196 refuses to start from here on.
comment on table kysely_migration is '0196-keys-begin-with-the-company';

alter table "lineLeases" drop constraint "lineLeases_pkey";
alter table "lineLeases" add constraint "lineLeases_pkey" primary key using index "lineLeases_company_key";
alter table "linkedKeys" drop constraint "linkedKeys_pkey";
alter table "linkedKeys" add constraint "linkedKeys_pkey" primary key using index "linkedKeys_company_key";
alter table "sandboxPhones" drop constraint "sandboxPhones_pkey";
alter table "sandboxPhones" add constraint "sandboxPhones_pkey" primary key using index "sandboxPhones_company_key";
alter table "sandboxCustomers" drop constraint "sandboxCustomers_pkey";
alter table "sandboxCustomers" add constraint "sandboxCustomers_pkey" primary key using index "sandboxCustomers_company_key";

alter table "campaignLines" drop constraint "campaignLines_pkey", add primary key ("companyId", "whatsappId");
alter table "cloudSends" drop constraint "cloudSends_pkey", add primary key ("companyId", "whatsappId", wid);
alter table "sandboxMessages" drop constraint "sandboxMessages_whatsappId_id_key", add unique ("companyId", "whatsappId", id);

-- The two large ones: while an index is made nobody writes there. On a database that is in use, make them before, with
-- `concurrently` and under these names.
create unique index if not exists messages_company_wid_key on messages ("companyId", "whatsappId", wid);
drop index messages_wid_key;
create unique index if not exists journal_company_event_key on journal ("companyId", "whatsappId", "eventId");
drop index journal_event_key;
