-- The rest of migration 0175: what a batch of strangers or of answers to a menu leaves for the figures is left once for
-- each statement, not for each row.

create function come_again_legs() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
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
        select k.id, k."finishedAt" from "ticketTracking" k
        where k."companyId" = n."companyId" and k."ticketId" = o.id and k.id <> n.id and k."endedBy" = 'resolved'
          and n."createdAt" - k."finishedAt" between interval '0' and interval '7 days' offset 0
      ) k order by k."finishedAt" desc, k.id desc limit 1
    ) k
    where n.began is not null order by k.id, n.id
  ) x
  where u."companyId" = x."companyId" and u.id = x.id and u.once and u."againAt" is null;
  return null;
end $$;

create function leave_tagged_legs_news() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into "figureNews" ("companyId", at, "queueId", "userId", "whatsappId", kind, value, n)
    select k."companyId", f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value, count(*)
    from became k
    join "ticketTags" g on g."companyId" = k."companyId" and g."ticketId" = k."ticketId"
    cross join lateral tag_facts(k, g."tagId") f
    group by k."companyId", f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value;
  else
    insert into "figureNews" ("companyId", at, "queueId", "userId", "whatsappId", kind, value, n)
    select c.id, d.at, d."queueId", d."userId", d."whatsappId", d.kind, d.value, sum(d.n)
    from (
      select k."companyId", f.*, 1 as n from became k
      join "ticketTags" g on g."companyId" = k."companyId" and g."ticketId" = k."ticketId"
      cross join lateral tag_facts(k, g."tagId") f
      union all
      select k."companyId", f.*, -1 from was k
      join "ticketTags" g on g."companyId" = k."companyId" and g."ticketId" = k."ticketId"
      cross join lateral tag_facts(k, g."tagId") f
    ) d
    join companies c on c.id = d."companyId"
    group by c.id, d.at, d."queueId", d."userId", d."whatsappId", d.kind, d.value having sum(d.n) <> 0;
  end if;
  return null;
end $$;

create function leave_menus_news() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "figureNews" ("companyId", at, "queueId", "userId", "whatsappId", kind, value, n)
  select s."companyId", f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value, count(*)
  from became s cross join lateral menu_facts(s) f
  group by s."companyId", f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value;
  return null;
end $$;

grant create on schema public to recado_platform;
alter function come_again_legs owner to recado_platform;
alter function leave_tagged_legs_news owner to recado_platform;
alter function leave_menus_news owner to recado_platform;
revoke create on schema public from recado_platform;

drop trigger come_again on "ticketTracking";
drop function come_again();
create trigger come_again after insert on "ticketTracking"
  referencing new table as became for each statement execute function come_again_legs();

drop trigger leave_tagged_news on "ticketTracking";
create trigger leave_tagged_news_of_new after insert on "ticketTracking"
  referencing new table as became for each statement execute function leave_tagged_legs_news();
create trigger leave_tagged_news_of_changed after update on "ticketTracking"
  referencing old table as was new table as became for each statement execute function leave_tagged_legs_news();

drop trigger leave_news on "menuSteps";
create trigger leave_news after update or delete on "menuSteps" for each row execute function leave_menu_news();
create trigger leave_news_of_new after insert on "menuSteps"
  referencing new table as became for each statement execute function leave_menus_news();

-- A leg that has only begun knows nothing yet.
drop trigger know on "ticketTracking";
create trigger know before insert or update on "ticketTracking" for each row
  when (new."startedAt" is not null or new."answeredAt" is not null or new."finishedAt" is not null) execute function know_leg();
