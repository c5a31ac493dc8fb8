alter table users
  -- When the last browser closed. The user counts as offline a minute later, unless one opens before. Null: one is open.
  add "disconnectedAt" timestamptz,
  -- Who changed the availability last: a person, or the server.
  add "availabilityCause" text not null default 'person'
    check ("availabilityCause" in ('person', 'inactivity', 'missedOffers'));
create index users_disconnected on users ("disconnectedAt") where "disconnectedAt" is not null;

-- An open browser that was gone for less than a minute does not change `online`, but may get tickets again.
create or replace trigger users_request_routing
  after update of online, availability, capacity, active, "disconnectedAt" on users
  for each row when (new.active and new.online and new.availability = 'available' and new."disconnectedAt" is null and
    (old.active, old.online, old.availability, old.capacity, old."disconnectedAt")
      is distinct from (new.active, new.online, new.availability, new.capacity, new."disconnectedAt"))
  execute function request_routing_of_user();

-- When a user last did something: typed, clicked, wrote to a customer. Apart from `users`, because it changes every minute.
create table "userActivity" (
  "companyId" int not null,
  "userId" int not null,
  at timestamptz not null,
  primary key ("companyId", "userId"),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete cascade
);
select tenant_table('"userActivity"');
create index settings_away_after on settings ("companyId") where key = 'awayAfterMinutes' and value <> '0';

-- The periods in which an online user was available, on a break or away.
create table "availabilitySpans" (
  id int generated always as identity,
  "companyId" int not null references companies (id) on delete cascade,
  "userId" int not null,
  availability text not null check (availability in ('available', 'break', 'away')),
  reason text not null default '',
  since timestamptz not null,
  until timestamptz,
  primary key ("companyId", id),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete cascade
);
create unique index "availabilitySpans_now" on "availabilitySpans" ("companyId", "userId") where until is null;
create index "availabilitySpans_user" on "availabilitySpans" ("companyId", "userId", until);
create index "availabilitySpans_until" on "availabilitySpans" (until);
select tenant_table('"availabilitySpans"');

-- `lastSeenAt` is when the user came online or was last connected.
create function record_availability_span() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz := case when old.online = new.online then new."availabilitySince" else coalesce(new."lastSeenAt", now()) end;
begin
  update "availabilitySpans" set until = greatest(since, at)
  where "companyId" = new."companyId" and "userId" = new.id and until is null;
  if new.online then
    insert into "availabilitySpans" ("companyId", "userId", availability, reason, since)
    values (new."companyId", new.id, new.availability, new."availabilityReason", at);
  end if;
  return null;
end $$;
comment on function record_availability_span() is 'Records how long an online user was available, on a break or away.';
grant create on schema public to recado_platform;
alter function record_availability_span owner to recado_platform;
revoke create on schema public from recado_platform;
create trigger users_availability_span after update of online, availability, "availabilityReason" on users
  for each row when ((old.online, old.availability, old."availabilityReason")
    is distinct from (new.online, new.availability, new."availabilityReason") and (old.online or new.online))
  execute function record_availability_span();
set local role recado_platform;
insert into "availabilitySpans" ("companyId", "userId", availability, reason, since)
select "companyId", id, availability, "availabilityReason", now() from users where online;
reset role;
