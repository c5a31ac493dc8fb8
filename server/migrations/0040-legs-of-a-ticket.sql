-- A ticket's way is kept leg by leg: a row for each time that it waits or is attended, in one queue, by one person. What
-- ended a leg was not known before; all that was known of a ticket stood in one row, which ended with it.
alter table "ticketTracking"
  add "queueId" int,
  add "endedBy" text check ("endedBy" in ('resolved', 'returned', 'transferred', 'bot')),
  add foreign key ("companyId", "queueId") references queues ("companyId", id) on delete set null ("queueId");
create index "ticketTracking_queue" on "ticketTracking" ("companyId", "queueId");
-- As the owner of all rows: who owns the tables need not see them.
set local role recado_platform;
update "ticketTracking" k set "queueId" = t."queueId", "endedBy" = case when k."finishedAt" is not null then 'resolved' end
  from tickets t where t."companyId" = k."companyId" and t.id = k."ticketId";
-- There are no prompts and integrations yet: whatever a ticket names is none.
update tickets set "promptId" = null, "integrationId" = null where "promptId" is not null or "integrationId" is not null;
reset role;
alter table "ticketTracking" add check (("finishedAt" is null) = ("endedBy" is null));

-- With a question about the attendance open, the last word is said when the question is over: once.
alter table "ratingRequests" add completed boolean not null default false;
