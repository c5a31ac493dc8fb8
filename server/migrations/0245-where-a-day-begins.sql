-- The moment with which a day begins. Where clocks go back over midnight (Havana, the Azores) its first hour comes twice,
-- and PostgreSQL takes midnight for the second one: the day begins with the first, as `at time zone` has it the other way.
create function day_begins(day date, zone text) returns timestamptz language sql immutable parallel safe as $$
  select m - case when ((m - interval '1 hour') at time zone zone)::date = day then interval '1 hour' else interval '0' end
  from (select day::timestamp at time zone zone as m) x
$$;

-- All that a ticket says to one of its tags, in one go: leg by leg (migration 0227), a ticket that was reopened for years
-- took as many calls as it has legs whenever a tag was put on or taken off.
create or replace function facts_of_ticket(company int, ticket int) returns fact[] language sql stable as $$
  select array(
    select f from "ticketTracking" k cross join lateral leg_facts(k) f where k."companyId" = company and k."ticketId" = ticket
    union all
    select f from "ticketTracking" k join "ticketTags" w on w."companyId" = k."companyId" and w."ticketId" = k."ticketId"
    cross join lateral tag_facts(k, w."tagId") f where k."companyId" = company and k."ticketId" = ticket
    union all
    select f from "userRatings" k cross join lateral rating_facts(k) f where k."companyId" = company and k."ticketId" = ticket
    union all
    select f from "ticketGoals" k cross join lateral goal_facts(k) f where k."companyId" = company and k."ticketId" = ticket
    union all
    select f from "nextAnswers" k cross join lateral answer_facts(k) f where k."companyId" = company and k."ticketId" = ticket
    union all
    select f from "menuSteps" k cross join lateral menu_facts(k) f where k."companyId" = company and k."ticketId" = ticket)
$$;

-- Who comes again was not helped at first contact, whichever of their tickets was resolved last: who writes to two lines
-- has two that run side by side.
create or replace function come_again_legs() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update "ticketTracking" u set "againAt" = x.at
  from (
    select distinct on (k.id) n."companyId", k.id, n."createdAt" as at from became n
    join tickets t on t."companyId" = n."companyId" and t.id = n."ticketId"
    -- From the person to their tickets to the legs of each, whatever the planner knows of these tables: along the ends of
    -- legs it would meet everybody's.
    cross join lateral (
      select k.id from (
        select o.id from tickets o where o."companyId" = t."companyId" and o."contactId" = t."contactId" offset 0
      ) o cross join lateral (
        select k.id from "ticketTracking" k
        where k."companyId" = n."companyId" and k."ticketId" = o.id and k.id <> n.id and k."endedBy" = 'resolved' and k.once
          and k."againAt" is null and n."createdAt" - k."finishedAt" between interval '0' and interval '7 days' offset 0
      ) k
    ) k
    where n.began is not null order by k.id, n.id
  ) x
  where u."companyId" = x."companyId" and u.id = x.id;
  return null;
end $$;
