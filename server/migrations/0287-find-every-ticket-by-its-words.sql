-- Every ticket in which somebody said the words, each with its newest such message. Meant for rare words: the trigram
-- index leads to all hits of the installation, and a common word is searched ticket by ticket instead
-- (desk/tickets/search.ts). It runs as the platform's role because row-level security keeps the trigram index from being used, and
-- names the company itself.
create function find_tickets_by_words(needle text) returns table ("ticketId" int, "messageId" bigint)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  company int := nullif(current_setting('app.company_id', true), '')::int;
  pattern text := '%' || replace(replace(replace(fold(needle), '\', '\\'), '%', '\%'), '_', '\_') || '%';
begin
  return query
    select distinct on (m."ticketId") m."ticketId", m.id from messages m
    where m."companyId" = company and m."ticketId" is not null and not m."isDeleted" and fold(m.body) like pattern
    order by m."ticketId", m."createdAt" desc, m.id desc;
end $$;
grant create on schema public to recado_platform;
alter function find_tickets_by_words owner to recado_platform;
revoke create on schema public from recado_platform;
revoke all on function find_tickets_by_words from public;
grant execute on function find_tickets_by_words to recado_app;
