-- A company's rows can lie wherever the company lies: what tells them apart begins with it (docs/scale.md). Sequences stay
-- one for each table, so that an id is still one row's alone. References have gone by ("companyId", id) from the start and
-- keep the keys they have; where nobody refers to such a key the primary key takes its place.
-- Not here: tables at which somebody is looked up before we know of which company they are, and the platform's own.
do $$
declare
  t record;
begin
  for t in
    select c.oid::regclass as name, c.relname, p.conname as pk, a.attname as id, u.conname as twin,
      exists (select from pg_constraint f where f.contype = 'f' and f.conindid = u.conindid) as referred
    from pg_class c
    join pg_constraint p on p.conrelid = c.oid and p.contype = 'p' and array_length(p.conkey, 1) = 1
    join pg_attribute a on a.attrelid = c.oid and a.attnum = p.conkey[1] and a.attname in ('id', 'seq')
    join pg_attribute o on o.attrelid = c.oid and o.attname = 'companyId' and o.attnotnull
    left join pg_constraint u on u.conrelid = c.oid and u.contype = 'u' and u.conkey = array[o.attnum, a.attnum]
    where c.relnamespace = 'public'::regnamespace
      and c.relname not in ('announcements', 'apiKeys', 'charges', 'invoices', 'pushSubscriptions', 'users', 'whatsapps')
    order by c.relname
  loop
    execute format('alter table %s drop constraint %I', t.name, t.pk);
    if t.twin is not null and not t.referred then
      execute format('alter table %s drop constraint %I', t.name, t.twin);
    end if;
    execute format('create unique index %I on %s ("companyId", %I)', t.pk, t.name, t.id);
    execute format('alter table %s add constraint %I primary key using index %I', t.name, t.pk, t.pk);
  end loop;
end $$;

alter table tickets drop constraint tickets_uuid_key, add constraint tickets_uuid_key unique ("companyId", uuid);
alter table chats drop constraint chats_uuid_key, add constraint chats_uuid_key unique ("companyId", uuid);

-- Looked up by its ids alone, by who acts for the platform and sees every company: what is old of webhooks goes in the
-- order of its ids, of all companies together.
create index "webhookEvents_id" on "webhookEvents" (id);

-- The release before names the old keys of these where two write at once (`on conflict`), so both stand side by side
-- until the next one (next/keys-begin-with-the-company.sql).
create unique index "lineLeases_company_key" on "lineLeases" ("companyId", "whatsappId");
create unique index "linkedKeys_company_key" on "linkedKeys" ("companyId", "whatsappId", type, id);
create unique index "sandboxPhones_company_key" on "sandboxPhones" ("companyId", "whatsappId");
create unique index "sandboxCustomers_company_key" on "sandboxCustomers" ("companyId", "whatsappId", number);
