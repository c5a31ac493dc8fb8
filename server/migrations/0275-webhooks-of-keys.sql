-- Whose right to read a webhook has: that of the key which wrote it last; none: of the admins.
alter table webhooks add "keyId" int;
alter table webhooks add constraint "webhooks_key" foreign key ("companyId", "keyId") references "apiKeys" ("companyId", id) on delete cascade;
create index "webhooks_key" on webhooks ("companyId", "keyId");
