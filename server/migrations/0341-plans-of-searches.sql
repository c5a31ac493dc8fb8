-- A search function plans by the words it is given: for unknown words the planner would read most of the table. The
-- statements that call it are planned once for each connection (plan_cache_mode), which must not reach inside.
alter function find_contacts(text[], int) set plan_cache_mode = force_custom_plan;
alter function find_tickets_by_words(text) set plan_cache_mode = force_custom_plan;
alter function find_knowledge(integer,text[],text[],boolean[],integer) set plan_cache_mode = force_custom_plan;
alter function find_messages(text,integer) set plan_cache_mode = force_custom_plan;

-- Every long word of a name is looked up, and the index begins with the rarest. Before, only the longest word was looked
-- up, which may be the one that every name has.
create or replace function find_rare_contacts(company int, patterns text[], most int) returns setof int
language sql stable set enable_seqscan = off set enable_indexscan = off set enable_indexonlyscan = off as $$
  select c.id from contacts c
  where c."companyId" = company and c."mergedInto" is null and c.search like patterns[1]
    and c.search like case when length(patterns[2]) >= 5 then patterns[2] else patterns[1] end
    and c.search like case when length(patterns[3]) >= 5 then patterns[3] else patterns[1] end
    and c.search like all (patterns)
  limit most
$$;
