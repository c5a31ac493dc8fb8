-- What prompts know from: texts, questions with their answers, files. What is searched are its pieces.
create table knowledge (
  id int generated always as identity primary key,
  "companyId" int not null,
  "promptId" int not null,
  kind text not null check (kind in ('text', 'pairs', 'file')),
  name text not null,
  state text not null default 'waiting' check (state in ('waiting', 'reading', 'ready', 'failed', 'stopped')),
  done int not null default 0,
  total int not null default 0,
  error text not null default '',
  pieces int not null default 0,
  uses int not null default 0,
  size int not null default 0,
  text text not null default '',
  pairs jsonb not null default '[]',
  -- Until it is read.
  "filePath" text,
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null default now(),
  unique ("companyId", id),
  foreign key ("companyId", "promptId") references prompts ("companyId", id) on delete cascade
);
create index knowledge_page on knowledge ("companyId", "promptId", lower(name) collate "C", id);
select tenant_table('knowledge');

create table "knowledgePieces" (
  id int generated always as identity primary key,
  "companyId" int not null,
  "promptId" int not null,
  "knowledgeId" int not null,
  -- Its page, its row or its number.
  at int not null,
  heading text not null,
  text text not null,
  -- Its words as the house takes texts apart (knowledge/words.ts), without a language: companies write in three, mixed.
  words tsvector not null,
  search text not null generated always as (fold(heading || ' ' || text)) stored,
  unique ("companyId", id),
  foreign key ("companyId", "knowledgeId") references knowledge ("companyId", id) on delete cascade
);
create index "knowledgePieces_prompt" on "knowledgePieces" ("companyId", "promptId");
create index "knowledgePieces_source" on "knowledgePieces" ("companyId", "knowledgeId");
create index "knowledgePieces_words" on "knowledgePieces" using gin (words);
create index "knowledgePieces_search" on "knowledgePieces" using gin (search gin_trgm_ops);
select tenant_table('"knowledgePieces"');

-- The pieces that have most of what is asked, by its rarer words. `stems` are beginnings of words, `exact` says which of
-- them must be the whole word. A word that nobody wrote is looked for once more by its likeness: people mistype.
-- As the other searches it looks past row-level security, which would not let it use an index, for one company alone.
create function find_knowledge(prompt int, asked text[], stems text[], exact boolean[], most int)
returns table (id int, score real)
language plpgsql stable security definer set search_path = public, pg_temp set pg_trgm.word_similarity_threshold = 0.55 as $$
declare
  company int := nullif(current_setting('app.company_id', true), '')::int;
begin
  return query
  with words as materialized (
    select n::int, word, stem, (quote_literal(stem) || case when whole then '' else ':*' end)::tsquery as query
    from unnest(asked, stems, exact) with ordinality w (word, stem, whole, n)
  ), plain as materialized (
    select w.n, p.id, 1.0 as share from words w
    join "knowledgePieces" p on p."companyId" = company and p."promptId" = prompt and p.words @@ w.query
  ), mistyped as materialized (
    select w.n, p.id, 0.6 as share from words w
    join "knowledgePieces" p on p."companyId" = company and p."promptId" = prompt and w.word <% p.search
    where length(w.word) >= 5 and not exists (select 1 from plain h where h.n = w.n)
  ), hits as materialized (
    select * from plain union all select * from mistyped
  ), whole as (
    select greatest(count(*), 1)::real as pieces from "knowledgePieces" p where p."companyId" = company and p."promptId" = prompt
  ), weights as (
    -- A word that stands nowhere says little: people tell stories around their question.
    select w.n, ln(1 + whole.pieces / greatest(count(h.id), 1)) * case when count(h.id) = 0 then 0.15 else 1 end as weight
    from words w cross join whole left join hits h on h.n = w.n group by w.n, whole.pieces
  )
  select h.id, (sum(g.weight * h.share) / (select sum(weight) from weights))::real as score
  from hits h join weights g on g.n = h.n
  group by h.id order by 2 desc, 1 limit most;
end $$;
grant create on schema public to recado_platform;
alter function find_knowledge owner to recado_platform;
revoke create on schema public from recado_platform;
revoke all on function find_knowledge from public;
grant execute on function find_knowledge to recado_app;
