-- People are found by their address too, and by words in any order (contract/src/words/searched.ts). The column is made
-- anew: as a change of rows this would need to see them, and who owns the tables need not.
alter table contacts drop column search;
alter table contacts add search text not null generated always as (fold(name) || E'\n' || number || E'\n' || fold(email)) stored;
create index contacts_page on contacts ("companyId", lower(name) collate "C", id) include (name, search) where "mergedInto" is null;
create index contacts_search on contacts using gin (search gin_trgm_ops) with (gin_pending_list_limit = 64);
-- Groups are few among many people.
create index contacts_groups on contacts ("companyId", lower(name) collate "C", id) where "isGroup" and "mergedInto" is null;

drop function find_contacts(text, int);
drop function find_rare_contacts(int, text, int);
-- The longest word leads through the index; the others are looked for in what it finds.
create function find_contacts(words text[], most int) returns table (id int)
language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  company int := nullif(current_setting('app.company_id', true), '')::int;
  patterns text[] := array(
    select '%' || replace(replace(replace(word, '\', '\\'), '%', '\%'), '_', '\_') || '%' from unnest(words) word
    order by length(word) desc
  );
  sample int;
begin
  select count(*) into sample
    from (select c.search from contacts c where c."companyId" = company and c."mergedInto" is null limit 200) c
    where c.search like all (patterns);
  if sample >= 5 or length(patterns[1]) < 5 then
    return query select c.id from contacts c
      where c."companyId" = company and c."mergedInto" is null and c.search like all (patterns) limit most;
  else
    return query select * from find_rare_contacts(company, patterns, most);
  end if;
end $$;
create function find_rare_contacts(company int, patterns text[], most int) returns setof int
language sql stable set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select c.id from contacts c
  where c."companyId" = company and c."mergedInto" is null and c.search like patterns[1] and c.search like all (patterns)
  limit most
$$;
grant create on schema public to recado_platform;
alter function find_contacts owner to recado_platform;
alter function find_rare_contacts owner to recado_platform;
revoke create on schema public from recado_platform;
revoke all on function find_contacts, find_rare_contacts from public;
grant execute on function find_contacts to recado_app;
