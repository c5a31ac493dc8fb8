-- A snoozed ticket is out of the way until a time, until the customer writes, or until whichever comes first.
alter table tickets
  add "snoozedAt" timestamptz,
  -- Null while "snoozedAt" is set: until the customer writes.
  add "snoozedUntil" timestamptz,
  add "snoozeWakesOnMessage" boolean not null default true,
  -- What the ticket is to come back for. It stays until the returned ticket is opened.
  add "snoozeNote" text not null default '',
  add "snoozedById" int,
  -- When the ticket came back by itself, until somebody opens it.
  add "returnedAt" timestamptz,
  add check ("snoozedAt" is not null or "snoozedUntil" is null),
  add foreign key ("companyId", "snoozedById") references users ("companyId", id) on delete set null ("snoozedById");
create index tickets_snoozed on tickets ("companyId", "snoozedUntil", id) where "snoozedAt" is not null;
create index tickets_snoozed_until on tickets ("snoozedUntil") where "snoozedUntil" is not null;
create index tickets_snoozed_by on tickets ("companyId", "snoozedById") where "snoozedById" is not null;

-- Badges leave snoozed tickets out; the board does not.
alter table "ticketTallies" add snoozed boolean not null default false;

create or replace function add_up_ticket_tallies(company int) returns void language sql security definer set search_path = public, pg_temp as $$
  with taken as (
    delete from "ticketTallies" where "companyId" = company and id = any(array(
      select id from "ticketTallies" where "companyId" = company for update skip locked))
    returning status, "userId", "queueId", "laneId", unread, snoozed, n
  )
  insert into "ticketTallies" ("companyId", status, "userId", "queueId", "laneId", unread, snoozed, n)
  select company, status, "userId", "queueId", "laneId", unread, snoozed, sum(n) from taken
  group by status, "userId", "queueId", "laneId", unread, snoozed having sum(n) <> 0
$$;
create or replace function tally_tickets() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "ticketTallies" ("companyId", status, "userId", "queueId", "laneId", unread, snoozed, n)
  select c.id, x.status, x."userId", x."queueId", x."laneId", x."unreadMessages" > 0, x."snoozedAt" is not null,
    case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed x join companies c on c.id = x."companyId" where x.status in ('open', 'pending') group by 1, 2, 3, 4, 5, 6, 7;
  if random() < 0.02 then perform add_up_ticket_tallies(id) from (select distinct "companyId" as id from changed) x; end if;
  return null;
end $$;
create or replace function tally_ticket() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "ticketTallies" ("companyId", status, "userId", "queueId", "laneId", unread, snoozed, n)
  select c.id, x.status, x."userId", x."queueId", x."laneId", x.unread, x.snoozed, x.n
  from companies c cross join (values
    (old.status, old."userId", old."queueId", old."laneId", old."unreadMessages" > 0, old."snoozedAt" is not null, -1),
    (new.status, new."userId", new."queueId", new."laneId", new."unreadMessages" > 0, new."snoozedAt" is not null, 1)
  ) x (status, "userId", "queueId", "laneId", unread, snoozed, n)
  where c.id = new."companyId" and x.status in ('open', 'pending');
  if random() < 0.02 then perform add_up_ticket_tallies(new."companyId"); end if;
  return null;
end $$;
create or replace trigger tally after update on tickets for each row
  when ((old.status, old."userId", old."queueId", old."laneId", old."unreadMessages" > 0, old."snoozedAt" is not null)
    is distinct from (new.status, new."userId", new."queueId", new."laneId", new."unreadMessages" > 0, new."snoozedAt" is not null))
  execute function tally_ticket();

alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (kind in
  ('assigned', 'queued', 'mention', 'held', 'resting', 'hook-rests', 'hook-off', 'hook-gave-up', 'goal', 'unsent', 'line-health', 'snooze'));
