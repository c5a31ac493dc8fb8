-- What was told of somebody goes with them.
create index "webhookEvents_contact" on "webhookEvents" ("companyId", "contactId");
