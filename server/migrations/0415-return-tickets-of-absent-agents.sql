-- Minutes after which the waiting tickets of an agent who is away or offline return to the queue; 0: at once. Null: never.
alter table queues add "returnAfterMinutes" int check ("returnAfterMinutes" between 0 and 1440);
create index queues_return_after on queues ("companyId", id) where "returnAfterMinutes" is not null;
