-- New contacts are a fact like any other (docs/figures.md): counting them took longer than the rest of the dashboard. They
-- have no queue, person or line. `desk/figures/facts.ts` reads the same from the contacts themselves.
alter table "figureCells" add contacts bigint not null default 0;

create function leave_contacts_news() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- Where the company itself goes, so do its figures.
  insert into "figureNews" ("companyId", at, kind, value, n)
  select c.id, x."createdAt", 'contact', 0, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed x join companies c on c.id = x."companyId" where x."mergedInto" is null group by 1, 2;
  return null;
end $$;
create function leave_contact_news() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "figureNews" ("companyId", at, kind, value, n)
  select c.id, x.at, 'contact', 0, x.n
  from companies c cross join (values (old."createdAt", old."mergedInto", -1), (new."createdAt", new."mergedInto", 1)) x (at, "mergedInto", n)
  where c.id = new."companyId" and x."mergedInto" is null;
  return null;
end $$;
grant create on schema public to recado_platform;
alter function leave_contacts_news owner to recado_platform;
alter function leave_contact_news owner to recado_platform;
revoke create on schema public from recado_platform;

create trigger leave_news_of_new after insert on contacts referencing new table as changed for each statement execute function leave_contacts_news();
create trigger leave_news_of_gone after delete on contacts referencing old table as changed for each statement execute function leave_contacts_news();
create trigger leave_news after update of "mergedInto", "createdAt" on contacts for each row
  when ((old."mergedInto" is null, old."createdAt") is distinct from (new."mergedInto" is null, new."createdAt")) execute function leave_contact_news();

-- All cells are made anew by the next run, with these in them.
set local role recado_platform;
delete from "figureCalendars";
reset role;
