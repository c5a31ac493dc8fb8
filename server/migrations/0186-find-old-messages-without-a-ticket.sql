-- What campaigns said belongs to no ticket: what is too old to be kept is found by its age. Few rows are in it.
create index messages_alone_age on messages ("companyId", "createdAt") where "ticketId" is null;
