-- What the engine of flows remembers (server/src/automation/flows).

alter table flows add column "failuresInARow" int not null default 0;

alter table "flowRuns"
  -- When the pause of a waiting run is over; null: only the customer ends it. `dueAt` may be earlier.
  add column "waitsUntil" timestamptz,
  -- How many calls of other systems were finished, so that a repeated call can be recognised.
  add column calls int not null default 0,
  -- Whether the run does what follows from something that the customer has just done: then it may also write to contacts
  -- who want no automatic messages.
  add column "isReply" boolean not null default false;

-- The inbox takes the events of one ticket, the worker those of the oldest.
create index "flowEvents_ticket" on "flowEvents" ("companyId", "ticketId");

-- The active flows are part of a company's rules.
create trigger renew_rules after insert or delete or update of name, position, "versionId", active on flows
  for each row execute function renew_rules();

-- A person took the conversation over: the worker ends the run that spoke, or lets it go on silently.
create function look_at_flow_run() returns trigger language plpgsql as $$
begin
  update "flowRuns" set "dueAt" = now()
    where "companyId" = old."companyId" and id = old."flowRunId" and "endedAt" is null and state = 'waiting';
  if found then perform pg_notify('recado', 'flows'); end if;
  return null;
end $$;
comment on function look_at_flow_run() is 'Makes the worker of flows look at a run that lost its conversation.';
create trigger look_at_flow_run after update of "flowRunId" on tickets for each row
  when (old."flowRunId" is not null and new."flowRunId" is distinct from old."flowRunId")
  execute function look_at_flow_run();
