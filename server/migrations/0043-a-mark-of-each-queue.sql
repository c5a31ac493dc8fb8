-- A mark of the company's own, for other systems that read its queues.
alter table queues add token text not null default '';
