-- Searching reads a few hundred messages to learn whether a word is common: that must cost next to nothing.

-- Most of what people write has no accents, and finding that out costs a tenth of taking them off. What takes them off
-- has a function of its own, and neither is strict: only so does the database write `fold` into a statement instead of
-- calling it for each row.
create function without_accents(t text) returns text language sql immutable parallel safe as $$
  select lower(public.unaccent('public.unaccent', t))
$$;
create or replace function fold(t text) returns text language sql immutable parallel safe as $$
  select case when octet_length(t) = length(t) then lower(t) else public.without_accents(t) end
$$;

-- What was added and not yet sorted in is read through by every search: a little of it, not four megabytes.
alter index contacts_search set (gin_pending_list_limit = 64);

create or replace function find_messages(needle text, most int) returns table ("ticketId" int, "createdAt" timestamptz)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  company int := nullif(current_setting('app.company_id', true), '')::int;
  pattern text := '%' || replace(replace(replace(fold(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%';
  sample int;
begin
  -- Is it common? Then the newest few thousand, one after the other, hold enough of it.
  select count(*) into sample
    from (select m.body from messages m where m."companyId" = company order by m.id desc limit 200) m
    where fold(m.body) like pattern;
  if sample >= 5 then
    return query
      select m."ticketId", m."createdAt"
      from (select * from messages m where m."companyId" = company order by m.id desc limit 5000) m
      where fold(m.body) like pattern and not m."isDeleted" limit most;
    return;
  end if;
  -- A rare word: the index knows where.
  return query
    select h."ticketId", h."createdAt" from (
      select m."ticketId", m."createdAt" from messages m where m."companyId" = company and fold(m.body) like pattern and not m."isDeleted" limit 5000
    ) h order by h."createdAt" desc limit most;
end $$;

create or replace function find_contacts(needle text, most int) returns table (id int)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  company int := nullif(current_setting('app.company_id', true), '')::int;
  -- Of a number as people write it, only the digits count.
  pattern text := '%' || case when needle ~ '^[-+() .0-9]*[0-9][-+() .0-9]*$' then regexp_replace(needle, '[^0-9]', '', 'g')
    else replace(replace(replace(fold(needle), '\', '\\'), '%', '\%'), '_', '\_') end || '%';
  sample int;
begin
  select count(*) into sample
    from (select c.search from contacts c where c."companyId" = company and c."mergedInto" is null limit 200) c
    where c.search like pattern;
  if sample >= 5 or length(pattern) < 5 then
    return query select c.id from contacts c
      where c."companyId" = company and c."mergedInto" is null and c.search like pattern limit most;
  else
    return query select * from find_rare_contacts(company, pattern, most);
  end if;
end $$;
