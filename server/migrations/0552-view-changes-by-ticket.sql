-- A page of a view asks whether its tickets have changed since they were recorded as members.
create index "ticketViewChanges_ticket" on "ticketViewChanges" ("companyId", "ticketId");
