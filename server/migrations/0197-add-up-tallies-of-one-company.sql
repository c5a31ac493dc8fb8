-- It acts for the platform, which sees every company, and rows are found by company and id since 0196.
create or replace function add_up_tallies(company int) returns void language sql security definer set search_path = public, pg_temp as $$
  with taken as (
    delete from tallies where "companyId" = company and id in (
      select id from tallies where "companyId" = company for update skip locked)
    returning kind, "of", n
  )
  insert into tallies ("companyId", kind, "of", n)
  select company, kind, "of", sum(n) from taken group by kind, "of" having sum(n) <> 0
$$;
