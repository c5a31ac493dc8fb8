-- How many contacts a company has and how many tickets wear a tag: lists say it with every page, and counting took longer
-- than the page. What changes is left as a row of its own, so that nobody waits for a counter; the count is their sum,
-- exact at every moment. Every now and then whoever leaves one adds up those that nobody else holds.
create table tallies (
  id bigint generated always as identity primary key,
  "companyId" int not null references companies (id) on delete cascade,
  kind text not null check (kind in ('contacts', 'groups', 'tag')),
  -- Of which tag; 0 of the others.
  "of" int not null,
  n bigint not null
);
create index tallies_of on tallies ("companyId", kind, "of") include (n);
select tenant_table('tallies');

create function add_up_tallies(company int) returns void language sql security definer set search_path = public, pg_temp as $$
  with taken as (
    delete from tallies where id in (select id from tallies where "companyId" = company for update skip locked)
    returning kind, "of", n
  )
  insert into tallies ("companyId", kind, "of", n)
  select company, kind, "of", sum(n) from taken group by kind, "of" having sum(n) <> 0
$$;

-- Where the company itself goes, so do its tallies.
create function tally_contacts() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into tallies ("companyId", kind, "of", n)
  select c.id, case when x."isGroup" then 'groups' else 'contacts' end, 0, case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed x join companies c on c.id = x."companyId" where x."mergedInto" is null group by 1, 2;
  if random() < 0.02 then perform add_up_tallies(id) from (select distinct "companyId" as id from changed) x; end if;
  return null;
end $$;
create function tally_contact() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into tallies ("companyId", kind, "of", n)
  select new."companyId", case when was."isGroup" then 'groups' else 'contacts' end, 0, was.n
  from (values (old."isGroup", old."mergedInto", -1), (new."isGroup", new."mergedInto", 1)) was ("isGroup", "mergedInto", n)
  where was."mergedInto" is null;
  return null;
end $$;
create function tally_tags() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into tallies ("companyId", kind, "of", n)
  select c.id, 'tag', x."tagId", case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed x join companies c on c.id = x."companyId" group by 1, 3;
  if random() < 0.02 then perform add_up_tallies(id) from (select distinct "companyId" as id from changed) x; end if;
  return null;
end $$;
create function tally_tag() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into tallies ("companyId", kind, "of", n)
  values (new."companyId", 'tag', old."tagId", -1), (new."companyId", 'tag', new."tagId", 1);
  return null;
end $$;
grant create on schema public to recado_platform;
alter function add_up_tallies owner to recado_platform;
alter function tally_contacts owner to recado_platform;
alter function tally_contact owner to recado_platform;
alter function tally_tags owner to recado_platform;
alter function tally_tag owner to recado_platform;
revoke create on schema public from recado_platform;
revoke all on function add_up_tallies from public;

create trigger tally_new after insert on contacts referencing new table as changed for each statement execute function tally_contacts();
create trigger tally_gone after delete on contacts referencing old table as changed for each statement execute function tally_contacts();
create trigger tally after update of "mergedInto", "isGroup" on contacts for each row
  when ((old."mergedInto" is null, old."isGroup") is distinct from (new."mergedInto" is null, new."isGroup")) execute function tally_contact();
create trigger tally_new after insert on "ticketTags" referencing new table as changed for each statement execute function tally_tags();
create trigger tally_gone after delete on "ticketTags" referencing old table as changed for each statement execute function tally_tags();
create trigger tally after update of "tagId" on "ticketTags" for each row
  when (old."tagId" <> new."tagId") execute function tally_tag();

-- As the owner of all rows: who owns the tables need not see them.
set local role recado_platform;
insert into tallies ("companyId", kind, "of", n)
  select "companyId", case when "isGroup" then 'groups' else 'contacts' end, 0, count(*) from contacts where "mergedInto" is null group by 1, 2;
insert into tallies ("companyId", kind, "of", n) select "companyId", 'tag', "tagId", count(*) from "ticketTags" group by 1, 3;
reset role;

-- The cards of one lane, in the order in which they are shown.
create index tickets_of_lane on tickets ("companyId", "laneId", status, "updatedMinute" desc) where status in ('open', 'pending');
