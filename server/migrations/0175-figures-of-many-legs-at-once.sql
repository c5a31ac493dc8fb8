-- What changed on the legs of tickets is left for the figures once for each statement, not for each leg: a campaign's
-- answers begin hundreds of them at once, and those that began at the same moment in the same place are one row of news.
create function leave_legs_news() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into "figureNews" ("companyId", at, "queueId", "userId", "whatsappId", kind, value, n)
    select k."companyId", f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value, count(*)
    from became k cross join lateral leg_facts(k) f
    group by k."companyId", f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value;
  elsif tg_op = 'UPDATE' then
    insert into "figureNews" ("companyId", at, "queueId", "userId", "whatsappId", kind, value, n)
    select d."companyId", d.at, d."queueId", d."userId", d."whatsappId", d.kind, d.value, sum(d.n)
    from (
      select k."companyId", f.*, 1 as n from became k cross join lateral leg_facts(k) f
      union all
      select k."companyId", f.*, -1 from was k cross join lateral leg_facts(k) f
    ) d
    -- Where the company itself goes, so do its figures: the people that its legs lose on the way are no news.
    join companies c on c.id = d."companyId"
    group by d."companyId", d.at, d."queueId", d."userId", d."whatsappId", d.kind, d.value having sum(d.n) <> 0;
  else
    insert into "figureNews" ("companyId", at, "queueId", "userId", "whatsappId", kind, value, n)
    select c.id, f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value, -count(*)
    from was k join companies c on c.id = k."companyId" cross join lateral leg_facts(k) f
    group by c.id, f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value;
  end if;
  return null;
end $$;
grant create on schema public to recado_platform;
alter function leave_legs_news owner to recado_platform;
revoke create on schema public from recado_platform;
drop trigger leave_news on "ticketTracking";
drop function leave_leg_news();
create trigger leave_news_of_new after insert on "ticketTracking"
  referencing new table as became for each statement execute function leave_legs_news();
create trigger leave_news_of_changed after update on "ticketTracking"
  referencing old table as was new table as became for each statement execute function leave_legs_news();
create trigger leave_news_of_gone after delete on "ticketTracking"
  referencing old table as was for each statement execute function leave_legs_news();
