-- `fold` is the twin of contract/src/fold.ts, sign for sign (server/test/fold.test.ts). `unaccent` knew other signs than a
-- browser does, and what a list showed depended on which of the two had looked.

-- Taking a text apart costs five times what `unaccent` does, so what people write most goes through that: Spanish,
-- Portuguese, the marks that telephones write, and emojis. Of these signs both make the same.
create or replace function without_accents(t text) returns text language sql immutable parallel safe as $$
  select case
    when t !~ '[^\u0001-\u007f¡¿À-ÖØ-öø-ÿ‘’“”–—…\u2600-\u26ff\u2702-\u275a\u2764-\u27bf\U0001f300-\U0001faff]'
      then lower(public.unaccent('public.unaccent', t))
    else replace(replace(replace(replace(translate(
      lower(regexp_replace(normalize(t, NFKD), '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u0640\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]+', '', 'g')),
      'øðđħıłς¡¿‘’“”‐‒–—―−', 'oddhilσ!?''''""------'), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th') end
$$;

-- What was folded in the old way is folded again. The column is made anew: as a change of rows this would need to see
-- them, and who owns the tables need not.
alter table contacts drop column search;
alter table contacts add search text not null generated always as (fold(name) || E'\n' || number) stored;
create index contacts_page on contacts ("companyId", lower(name) collate "C", id) include (name, search) where "mergedInto" is null;
create index contacts_search on contacts using gin (search gin_trgm_ops) with (gin_pending_list_limit = 64);
reindex index messages_search;

-- Lists that are read by name and had no index in that order.
create index files_page on files ("companyId", lower(name) collate "C", id);
create index companies_page on companies (lower(name) collate "C", id);
create index plans_page on plans (lower(name) collate "C", id);
