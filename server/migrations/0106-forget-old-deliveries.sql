-- Each company forgets its own.
drop index "webhookDeliveries_old";
create index "webhookDeliveries_age" on "webhookDeliveries" ("companyId", "createdAt");
