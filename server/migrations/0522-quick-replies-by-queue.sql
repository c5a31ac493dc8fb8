-- The queues in whose conversations a quick reply is offered. None: in all of them.
create table "quickMessageQueues" (
  "companyId" int not null,
  "quickMessageId" int not null,
  "queueId" int not null,
  primary key ("companyId", "quickMessageId", "queueId"),
  foreign key ("companyId", "quickMessageId") references "quickMessages" ("companyId", id) on delete cascade,
  foreign key ("companyId", "queueId") references queues ("companyId", id) on delete cascade
);
create index "quickMessageQueues_queue" on "quickMessageQueues" ("companyId", "queueId");
select tenant_table('"quickMessageQueues"');
