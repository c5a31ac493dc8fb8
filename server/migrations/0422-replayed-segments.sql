-- The attended segments of a queue, newest first: the replay of the last month reads them.
create index "ticketTracking_replay" on "ticketTracking" ("companyId", "queueId", "finishedAt") where "startedAt" is not null;
