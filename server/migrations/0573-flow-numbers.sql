-- What came of each step of a flow (`flowsApi.numbers`).

-- Contacts who asked for no automatic messages while a sequence stood at this step. Ended runs are deleted later.
alter table "flowStepTallies" add column "optedOut" int not null default 0;

-- The runs that stand at a step now.
create index "flowRuns_standing" on "flowRuns" ("companyId", "versionId", (position ->> 'stepId')) where "endedAt" is null;
