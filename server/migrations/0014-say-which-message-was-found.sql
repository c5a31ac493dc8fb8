-- A search also says which message it found, so that what was said there need not be looked for again. And a word that
-- is on everybody's lips today no longer hides what was said of it a year ago.
drop function find_messages(text, int);
create function find_messages(needle text, most int) returns table (id bigint, "ticketId" int, "createdAt" timestamptz)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  company int := nullif(current_setting('app.company_id', true), '')::int;
  pattern text := '%' || replace(replace(replace(fold(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%';
  many constant int := 5000;
  hits int;
  ids bigint[];
begin
  -- Is it common? Then the newest few thousand, one after the other, hold enough of it.
  select count(*) into hits
    from (select m.body from messages m where m."companyId" = company order by m.id desc limit 150) m
    where fold(m.body) like pattern;
  if hits >= 4 then
    return query
      select m.id, m."ticketId", m."createdAt"
      from (select * from messages m where m."companyId" = company order by m.id desc limit many) m
      where fold(m.body) like pattern and not m."isDeleted" limit most;
    get diagnostics hits = row_count;
    if hits >= most then return; end if;
  end if;
  -- A rare word: the index knows where, in no order.
  ids := array(
    select m.id from messages m
    where m."companyId" = company and fold(m.body) like pattern and not m."isDeleted" limit many + 1
  );
  if cardinality(ids) <= many then
    return query
      select m.id, m."ticketId", m."createdAt" from messages m
      where m."companyId" = company and m.id = any(ids) order by m."createdAt" desc limit most;
    return;
  end if;
  -- Neither common now nor rare: further back, one after the other.
  return query
    select m.id, m."ticketId", m."createdAt"
    from (select * from messages m where m."companyId" = company order by m.id desc limit 10 * many) m
    where fold(m.body) like pattern and not m."isDeleted" limit most;
end $$;
alter function find_messages owner to recado_platform;
revoke all on function find_messages from public;
grant execute on function find_messages to recado_app;
