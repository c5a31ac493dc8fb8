-- A call is written down with its answer, in the transaction of what it did; who is logged in may try one, too.
alter table "apiCalls" drop constraint "apiCalls_pkey";
alter table "apiCalls" alter column "apiKeyId" drop not null;
alter table "apiCalls" alter column reply set not null;
create unique index "apiCalls_key" on "apiCalls" ("companyId", "apiKeyId", key) nulls not distinct;
-- Each company forgets its own.
drop index "apiCalls_old";
create index "apiCalls_age" on "apiCalls" ("companyId", "createdAt");
