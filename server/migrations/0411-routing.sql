-- How tickets of a queue reach its agents: by hand, or assigned by the server.
alter table queues
  add routing text not null default 'manual' check (routing in ('manual', 'roundRobin', 'fewestOpen')),
  -- How many open tickets an agent of the queue may have before the server assigns no more. Null: no limit.
  add capacity int check (capacity between 1 and 1000),
  -- The agent who last attended the customer comes first.
  add "lastAgentFirst" boolean not null default true;
alter table users
  add availability text not null default 'available' check (availability in ('available', 'break', 'away')),
  add "availabilityReason" text not null default '',
  add "availabilitySince" timestamptz not null default now(),
  -- Overrides the capacity of the queues. Null: the queue's.
  add capacity int check (capacity between 1 and 1000);

-- Since when a ticket waits in a queue for an agent, while no bot attends it.
alter table tickets add "routableSince" timestamptz;
create index tickets_routable on tickets ("companyId", "queueId", priority, "routableSince", id) where "routableSince" is not null;

create function set_routable_since() returns trigger language plpgsql as $$
begin
  if new.status <> 'pending' or new."queueId" is null or new."userId" is not null or new."isGroup" or new.chatbot
    or new."useIntegration" or new."promptId" is not null then
    new."routableSince" = null;
  elsif tg_op = 'INSERT' then
    new."routableSince" = new."createdAt";
  -- An undone action gives the ticket its place back; any other action leaves the column to this trigger.
  elsif new."routableSince" is null
    or (old."queueId" is distinct from new."queueId" and new."routableSince" is not distinct from old."routableSince") then
    new."routableSince" = new."updatedAt";
  end if;
  return new;
end $$;
comment on function set_routable_since() is 'Records since when a ticket waits in a queue for an agent.';
create trigger tickets_routable_since before insert or update of status, "queueId", "userId", chatbot, "useIntegration", "promptId"
  on tickets for each row execute function set_routable_since();

set local role recado_platform;
update tickets set "routableSince" = "updatedAt"
where status = 'pending' and "queueId" is not null and "userId" is null and not "isGroup" and not chatbot
  and not "useIntegration" and "promptId" is null;
reset role;

-- Queues in which a ticket or a free place may be waiting for the other. A request only means "look at this queue".
create table "routingRequests" (
  id bigint generated always as identity,
  "companyId" int not null,
  "queueId" int not null,
  primary key ("companyId", id),
  foreign key ("companyId", "queueId") references queues ("companyId", id) on delete cascade
);
create index "routingRequests_queue" on "routingRequests" ("companyId", "queueId");
select tenant_table('"routingRequests"');

-- When an agent last got a ticket of a queue from the server.
create table "routingTurns" (
  "companyId" int not null,
  "queueId" int not null,
  "userId" int not null,
  at timestamptz not null,
  primary key ("companyId", "queueId", "userId"),
  foreign key ("companyId", "queueId") references queues ("companyId", id) on delete cascade,
  foreign key ("companyId", "userId") references users ("companyId", id) on delete cascade
);
create index "routingTurns_user" on "routingTurns" ("companyId", "userId");
select tenant_table('"routingTurns"');

create function request_routing_of_ticket() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  requested int := 0;
  more int;
begin
  if tg_op <> 'DELETE' and new."routableSince" is not null
    and (tg_op = 'INSERT' or old."routableSince" is distinct from new."routableSince") then
    insert into "routingRequests" ("companyId", "queueId")
    select q."companyId", q.id from queues q
    where q."companyId" = new."companyId" and q.id = new."queueId" and q.routing <> 'manual';
    get diagnostics requested = row_count;
  end if;
  if tg_op <> 'INSERT' and old.status = 'open' and old."userId" is not null
    and (tg_op = 'DELETE' or new.status <> 'open' or new."userId" is distinct from old."userId") then
    insert into "routingRequests" ("companyId", "queueId")
    select q."companyId", q.id from "userQueues" u
    join queues q on q."companyId" = u."companyId" and q.id = u."queueId" and q.routing <> 'manual'
    where u."companyId" = old."companyId" and u."userId" = old."userId";
    get diagnostics more = row_count;
    requested = requested + more;
  end if;
  if requested > 0 then perform pg_notify('recado', 'routing'); end if;
  return null;
end $$;
comment on function request_routing_of_ticket() is 'Requests a look at queues in which a ticket began to wait or an agent has a free place.';
create trigger tickets_request_routing after insert or delete or update of status, "queueId", "userId", chatbot, "useIntegration", "promptId"
  on tickets for each row execute function request_routing_of_ticket();

create function request_routing_of_user() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "routingRequests" ("companyId", "queueId")
  select q."companyId", q.id from "userQueues" u
  join queues q on q."companyId" = u."companyId" and q.id = u."queueId" and q.routing <> 'manual'
  where u."companyId" = new."companyId" and u."userId" = new.id;
  if found then perform pg_notify('recado', 'routing'); end if;
  return null;
end $$;
comment on function request_routing_of_user() is 'Requests a look at the queues of an agent who has become available or may take more.';
create trigger users_request_routing after update of online, availability, capacity, active on users
  for each row when (new.active and new.online and new.availability = 'available' and
    (old.active, old.online, old.availability, old.capacity) is distinct from (new.active, new.online, new.availability, new.capacity))
  execute function request_routing_of_user();

create function request_routing_of_queue() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "routingRequests" ("companyId", "queueId") values (new."companyId", new.id);
  perform pg_notify('recado', 'routing');
  return null;
end $$;
comment on function request_routing_of_queue() is 'Requests a look at a queue whose routing has changed.';
create trigger queues_request_routing after update of routing, capacity on queues
  for each row when (new.routing <> 'manual' and (old.routing, old.capacity) is distinct from (new.routing, new.capacity))
  execute function request_routing_of_queue();

create function request_routing_of_member() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "routingRequests" ("companyId", "queueId")
  select q."companyId", q.id from queues q
  where q."companyId" = new."companyId" and q.id = new."queueId" and q.routing <> 'manual';
  if found then perform pg_notify('recado', 'routing'); end if;
  return null;
end $$;
comment on function request_routing_of_member() is 'Requests a look at a queue that gets another agent.';
create trigger "userQueues_request_routing" after insert on "userQueues"
  for each row execute function request_routing_of_member();
