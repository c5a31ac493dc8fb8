-- The secret address of a flow, which programs call. Only a hash of its token is stored; null: it has none.
alter table flows add column "hookHash" text;
create index flows_hook on flows ("hookHash") where "hookHash" is not null;
