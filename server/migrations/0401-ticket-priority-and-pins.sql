-- The priority of a ticket, as a number so that an index can sort by it: 0 urgent, 1 high, 2 normal, 3 low.
alter table tickets add priority smallint not null default 2 check (priority between 0 and 3);
-- Lists by priority: within a priority the longest waiting customer comes first. The id ends the order, so that a walk
-- along the index needs no sort. A message that changes "waitingSince" changes the indexes of migration 0051 as well.
create index tickets_priority on tickets ("companyId", status, priority, "waitingSince", id) where status in ('open', 'pending');
create index tickets_priority_of_user on tickets ("companyId", "userId", status, priority, "waitingSince", id) where status in ('open', 'pending');
create index tickets_priority_of_queue on tickets ("companyId", "queueId", status, priority, "waitingSince", id) where status in ('open', 'pending');

-- Tickets that a user keeps at the top of their own lists.
create table "ticketPins" (
  "companyId" int not null,
  "userId" int not null,
  "ticketId" int not null,
  "createdAt" timestamptz not null default now(),
  primary key ("companyId", "userId", "ticketId"),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete cascade,
  foreign key ("companyId", "ticketId") references tickets ("companyId", id) on delete cascade
);
create index "ticketPins_ticket" on "ticketPins" ("companyId", "ticketId");
select tenant_table('"ticketPins"');
