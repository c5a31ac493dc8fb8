-- Who waits in any queue, in the order in which tickets are assigned: the live page of supervisors reads the first ones.
create index tickets_in_line on tickets ("companyId", priority, "routableSince", id) where "routableSince" is not null;
