-- Contacts that may be one person: the same e-mail, the same name of two words or more, or the same number or code in
-- an own field. Each is looked up by its index.
create index contacts_email on contacts ("companyId", lower(email), id)
  where email <> '' and "mergedInto" is null and not "isGroup";
create index contacts_full_name on contacts ("companyId", lower(name), id)
  where name like '% %' and "mergedInto" is null and not "isGroup";
create function looks_like_code(value text) returns boolean language sql immutable parallel safe as $$
  select length(value) <= 60 and value ~ '\d\D?\d\D?\d\D?\d\D?\d'
$$;
create index "contactFields_code" on "contactFields" ("companyId", lower(value), lower(name))
  where looks_like_code(value);

-- A function, because row-level security keeps lower() from being looked up in an index. A common name has many owners:
-- of each kind of evidence only some contacts are compared. Only older ones if a pair must not be found twice.
create function find_likely_duplicates(ids int[], only_older boolean, most int)
returns table (id int, "otherId" int, kind text, value text, field text)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  company int := nullif(current_setting('app.company_id', true), '')::int;
begin
  return query
  select c.id, m.* from contacts c cross join lateral (
    (select o.id, 'email', o.email, '' from contacts o
      where o."companyId" = company and lower(o.email) = lower(c.email) and o.email <> '' and c.email <> ''
        and o."mergedInto" is null and not o."isGroup"
        and o.id <> c.id and (o.id < c.id or not only_older) limit most)
    union all
    (select o.id, 'name', o.name, '' from contacts o
      where o."companyId" = company and lower(o.name) = lower(c.name) and o.name like '% %' and c.name like '% %'
        and o."mergedInto" is null and not o."isGroup"
        and o.id <> c.id and (o.id < c.id or not only_older) limit most)
    union all
    (select o.id, 'field', g.value, f.name
      from (select x.value, x.name from "contactFields" x
        where x."companyId" = company and x."contactId" = c.id order by x.id limit 100) f
      join "contactFields" g on g."companyId" = company and lower(g.value) = lower(f.value)
        and lower(g.name) = lower(f.name) and looks_like_code(g.value)
      join contacts o on o."companyId" = company and o.id = g."contactId"
      where looks_like_code(f.value) and o."mergedInto" is null and not o."isGroup"
        and o.id <> c.id and (o.id < c.id or not only_older) limit most)
  ) m
  where c."companyId" = company and c.id = any(ids) and c."mergedInto" is null and not c."isGroup"
  order by c.id desc;
end $$;
revoke all on function find_likely_duplicates from public;
grant execute on function find_likely_duplicates to recado_app, recado_platform;
