-- The weekly plan of a person's shifts, like opening hours. Empty: without a plan, always on shift.
alter table users
  add shifts jsonb not null default '[]',
  add "onShift" boolean not null default true,
  -- When the next shift begins or ends. Null: never.
  add "shiftChangesAt" timestamptz;
create index users_shift_changes on users ("shiftChangesAt") where "shiftChangesAt" is not null;

create or replace trigger users_request_routing
  after update of online, availability, capacity, active, "disconnectedAt", "skillIds", "onShift" on users
  for each row when (new.active and new.online and new.availability = 'available' and new."disconnectedAt" is null and new."onShift" and
    (old.active, old.online, old.availability, old.capacity, old."disconnectedAt", old."skillIds", old."onShift")
      is distinct from (new.active, new.online, new.availability, new.capacity, new."disconnectedAt", new."skillIds", new."onShift"))
  execute function request_routing_of_user();

create function recompute_shifts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update users set "shiftChangesAt" = 'epoch' where "companyId" = new."companyId" and "shiftChangesAt" is not null;
  return null;
end $$;
comment on function recompute_shifts() is 'Makes the plans of shifts due when the time zone of the company changes.';
grant create on schema public to recado_platform;
alter function recompute_shifts owner to recado_platform;
revoke create on schema public from recado_platform;
create trigger settings_shift_zone after insert or update on settings
  for each row when (new.key = 'timezone') execute function recompute_shifts();
