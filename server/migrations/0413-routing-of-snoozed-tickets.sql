-- A snoozed ticket is not assigned. When it is back, it waits as from then.
-- Triggers fire in the order of their names, so each of these runs after the one of 0411 whose result it completes.
create trigger tickets_routable_since_after_snooze before update of "snoozedAt" on tickets
  for each row when (new."snoozedAt" is null and old."snoozedAt" is not null) execute function set_routable_since();

create function clear_routable_since() returns trigger language plpgsql as $$
begin
  new."routableSince" = null;
  return new;
end $$;
comment on function clear_routable_since() is 'Takes a snoozed ticket out of the tickets that wait for an agent.';
create trigger tickets_routable_since_while_snoozed before insert or update on tickets
  for each row when (new."snoozedAt" is not null and new."routableSince" is not null) execute function clear_routable_since();

create trigger tickets_request_routing_after_snooze after update of "snoozedAt" on tickets
  for each row when (new."snoozedAt" is null and old."snoozedAt" is not null) execute function request_routing_of_ticket();
