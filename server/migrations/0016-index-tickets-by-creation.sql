-- Who looks for what came in on a day reads that day.
create index tickets_created on tickets ("companyId", "createdAt");
