-- Each company forgets its own.
drop index "machineCalls_old";
create index "machineCalls_age" on "machineCalls" ("companyId", at);
