-- A message may belong to no ticket: one of the house's own accord, as a campaign's, which opens none and closes none.
alter table messages alter "ticketId" drop not null;
-- The contact of others is their ticket's and needs no reference, which would cost a look-up for every message. Of these
-- it is their own, and they go with it.
alter table messages
  add "aloneWith" int generated always as (case when "ticketId" is null then "contactId" end) stored,
  add foreign key ("companyId", "aloneWith") references contacts ("companyId", id) on delete cascade;
create index messages_alone on messages ("companyId", "aloneWith") where "aloneWith" is not null;

-- A search finds tickets: what belongs to none is passed over, however many of it are the newest, and is not in its index.
drop index messages_search;
create index messages_search on messages using gin (fold(body) gin_trgm_ops)
  with (gin_pending_list_limit = 8192) where "ticketId" is not null;
create or replace function find_messages(needle text, most int) returns table (id bigint, "ticketId" int, "createdAt" timestamptz)
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
    from (select m.body from messages m where m."companyId" = company and m."ticketId" is not null order by m.id desc limit 150) m
    where fold(m.body) like pattern;
  if hits >= 4 then
    return query
      select m.id, m."ticketId", m."createdAt"
      from (select * from messages m where m."companyId" = company and m."ticketId" is not null order by m.id desc limit many) m
      where fold(m.body) like pattern and not m."isDeleted" limit most;
    get diagnostics hits = row_count;
    if hits >= most then return; end if;
  end if;
  -- A rare word: the index knows where, in no order.
  ids := array(
    select m.id from messages m
    where m."companyId" = company and fold(m.body) like pattern and not m."isDeleted" and m."ticketId" is not null limit many + 1
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
    from (select * from messages m where m."companyId" = company and m."ticketId" is not null order by m.id desc limit 10 * many) m
    where fold(m.body) like pattern and not m."isDeleted" limit most;
end $$;
