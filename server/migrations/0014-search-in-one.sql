-- A search also says which message it found, so that what was said there need not be looked for again.
drop function find_messages(text, int);
create function find_messages(needle text, most int) returns table (id bigint, "ticketId" int, "createdAt" timestamptz)
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
      select m.id, m."ticketId", m."createdAt"
      from (select * from messages m where m."companyId" = company order by m.id desc limit 5000) m
      where fold(m.body) like pattern and not m."isDeleted" limit most;
    return;
  end if;
  -- A rare word: the index knows where.
  return query
    select h.id, h."ticketId", h."createdAt" from (
      select m.id, m."ticketId", m."createdAt" from messages m
      where m."companyId" = company and fold(m.body) like pattern and not m."isDeleted" limit 5000
    ) h order by h."createdAt" desc limit most;
end $$;
alter function find_messages owner to recado_platform;
revoke all on function find_messages from public;
grant execute on function find_messages to recado_app;
