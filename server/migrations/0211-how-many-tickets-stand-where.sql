-- How many living tickets stand where: badges and lanes of the board say it all the time, and walking to each of
-- thousands took longer than the page. Kept as contacts and tags are (migration 0181): what changes is left as a row of its
-- own, the count is their sum, and every now and then whoever leaves one adds up those that nobody else holds.
create table "ticketTallies" (
  "companyId" int not null references companies (id) on delete cascade,
  id bigint generated always as identity,
  status text not null check (status in ('open', 'pending')),
  "userId" int,
  "queueId" int,
  "laneId" int,
  unread boolean not null,
  n bigint not null,
  primary key ("companyId", id)
);
select tenant_table('"ticketTallies"');

create function add_up_ticket_tallies(company int) returns void language sql security definer set search_path = public, pg_temp as $$
  with taken as (
    delete from "ticketTallies" where "companyId" = company and id = any(array(
      select id from "ticketTallies" where "companyId" = company for update skip locked))
    returning status, "userId", "queueId", "laneId", unread, n
  )
  insert into "ticketTallies" ("companyId", status, "userId", "queueId", "laneId", unread, n)
  select company, status, "userId", "queueId", "laneId", unread, sum(n) from taken
  group by status, "userId", "queueId", "laneId", unread having sum(n) <> 0
$$;

-- Where the company itself goes, so do its tallies.
create function tally_tickets() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "ticketTallies" ("companyId", status, "userId", "queueId", "laneId", unread, n)
  select c.id, x.status, x."userId", x."queueId", x."laneId", x."unreadMessages" > 0, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed x join companies c on c.id = x."companyId" where x.status in ('open', 'pending') group by 1, 2, 3, 4, 5, 6;
  if random() < 0.02 then perform add_up_ticket_tallies(id) from (select distinct "companyId" as id from changed) x; end if;
  return null;
end $$;
create function tally_ticket() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "ticketTallies" ("companyId", status, "userId", "queueId", "laneId", unread, n)
  select c.id, x.status, x."userId", x."queueId", x."laneId", x.unread, x.n
  from companies c cross join (values
    (old.status, old."userId", old."queueId", old."laneId", old."unreadMessages" > 0, -1),
    (new.status, new."userId", new."queueId", new."laneId", new."unreadMessages" > 0, 1)
  ) x (status, "userId", "queueId", "laneId", unread, n)
  where c.id = new."companyId" and x.status in ('open', 'pending');
  if random() < 0.02 then perform add_up_ticket_tallies(new."companyId"); end if;
  return null;
end $$;
grant create on schema public to recado_platform;
alter function add_up_ticket_tallies owner to recado_platform;
alter function tally_tickets owner to recado_platform;
alter function tally_ticket owner to recado_platform;
revoke create on schema public from recado_platform;
revoke all on function add_up_ticket_tallies from public;

create trigger tally_new after insert on tickets referencing new table as changed for each statement execute function tally_tickets();
create trigger tally_gone after delete on tickets referencing old table as changed for each statement execute function tally_tickets();
-- A message to a ticket that already has unread ones changes none of it, and pays for the comparison alone.
create trigger tally after update on tickets for each row
  when ((old.status, old."userId", old."queueId", old."laneId", old."unreadMessages" > 0)
    is distinct from (new.status, new."userId", new."queueId", new."laneId", new."unreadMessages" > 0)) execute function tally_ticket();

-- As the owner of all rows: who owns the tables need not see them.
set local role recado_platform;
insert into "ticketTallies" ("companyId", status, "userId", "queueId", "laneId", unread, n)
  select "companyId", status, "userId", "queueId", "laneId", "unreadMessages" > 0, count(*)
  from tickets where status in ('open', 'pending') group by 1, 2, 3, 4, 5, 6;
reset role;
