-- A deleted contact can be brought back for 30 days. Its rows are really deleted, so that no list, search, count or
-- report has to leave them out; what they were lies here, one row of JSON for each.
create table "deletedContacts" (
  id int generated always as identity,
  "companyId" int not null references companies on delete cascade,
  "contactId" int not null,
  name text not null,
  number text not null,
  "isGroup" boolean not null default false,
  -- Telephones and ids of vendors, by which an erasure finds it.
  identities text[] not null default '{}',
  tickets int not null default 0,
  messages int not null default 0,
  "userId" int,
  "userName" text not null default '',
  "keyName" text not null default '',
  "deletedAt" timestamptz not null,
  primary key ("companyId", id),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete set null ("userId")
);
create index "deletedContacts_due" on "deletedContacts" ("deletedAt");
create index "deletedContacts_user" on "deletedContacts" ("companyId", "userId");
select tenant_table('"deletedContacts"');

create table "deletedContactRows" (
  "companyId" int not null references companies on delete cascade,
  "deletedId" int not null,
  "tableName" text not null,
  -- Empty: the row is gone. Otherwise the row stays, and the deletion emptied this column of it.
  link text not null default '',
  key text not null,
  row jsonb not null,
  primary key ("companyId", "deletedId", "tableName", link, key),
  foreign key ("companyId", "deletedId") references "deletedContacts" ("companyId", id) on delete cascade
);
select tenant_table('"deletedContactRows"');

-- Every reference between two tables of companies: one column of the child leads to one of the parent, beside the company.
create function company_references() returns table (
  child text, child_column text, parent text, parent_column text, type text, action "char"
) language sql stable as $$
  select f.relname::text as child, ca.attname::text as child_column, p.relname::text as parent, pa.attname::text as parent_column,
    format_type(pa.atttypid, pa.atttypmod) as type, k.confdeltype as action
  from pg_constraint k
  join pg_class f on f.oid = k.conrelid
  join pg_class p on p.oid = k.confrelid
  cross join lateral unnest(k.conkey, k.confkey) u (child, parent)
  join pg_attribute ca on ca.attrelid = f.oid and ca.attnum = u.child
  join pg_attribute pa on pa.attrelid = p.oid and pa.attnum = u.parent
  where k.contype = 'f' and f.relnamespace = 'public'::regnamespace and ca.attname <> 'companyId' and pa.attname <> 'companyId'
    and p.relname <> 'companies'
$$;

-- By what a row of a table is known, as text.
create function row_key(tbl text, alias text) returns text language sql stable as $$
  select 'concat_ws('':'', ' || string_agg(format('%s.%I', alias, a.attname), ', ' order by u.n) || ')'
  from pg_constraint k cross join lateral unnest(k.conkey) with ordinality u (num, n)
  join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.num
  where k.contype = 'p' and k.conrelid = format('%I', tbl)::regclass and a.attname <> 'companyId'
$$;

-- Writes down these contacts, whatever the database deletes along with them, and which columns it empties elsewhere.
-- Left out is work that is under way: it must not go on weeks later.
create function archive_contact(company int, deleted int, ids int[]) returns void language plpgsql as $$
declare
  fk record;
  found int;
  grown text[] := '{contacts}';
  next text[];
  of_parent constant text := 'array(select (p.row ->> %L)::%s from "deletedContactRows" p
    where p."companyId" = $1 and p."deletedId" = $2 and p."tableName" = %L and p.link = '''')';
begin
  insert into "deletedContactRows" ("companyId", "deletedId", "tableName", key, row)
    select company, deleted, 'contacts', c.id, to_jsonb(c) from contacts c where c."companyId" = company and c.id = any (ids);
  while grown <> '{}' loop
    next := '{}';
    for fk in select * from company_references() where action = 'c' and parent = any (grown)
      and child not in ('asks', 'webhookDeliveries', 'webhookEvents', 'ratingRequests', 'deletedContactRows')
    loop
      execute format(
        'insert into "deletedContactRows" ("companyId", "deletedId", "tableName", key, row)
         select $1, $2, %L, %s, to_jsonb(r) from %I r where r."companyId" = $1 and r.%I = any (' || of_parent || ') on conflict do nothing',
        fk.child, row_key(fk.child, 'r'), fk.child, fk.child_column, fk.parent_column, fk.type, fk.parent) using company, deleted;
      get diagnostics found = row_count;
      if found > 0 and fk.child <> all (next) then next := next || fk.child; end if;
    end loop;
    grown := next;
  end loop;
  -- Found once: joined with the catalogue, every row of a long conversation would be read for every reference.
  next := array(select distinct "tableName" from "deletedContactRows" where "companyId" = company and "deletedId" = deleted);
  for fk in select r.* from company_references() r where r.action = 'n' and r.parent = any (next) loop
    execute format(
      'insert into "deletedContactRows" ("companyId", "deletedId", "tableName", link, key, row)
       select $1, $2, %L, %L, %s, to_jsonb(r) from %I r where r."companyId" = $1 and r.%I = any (' || of_parent || ')
         and not exists (select from "deletedContactRows" d where d."companyId" = $1 and d."deletedId" = $2
           and d."tableName" = %L and d.link = '''' and d.key = %s) on conflict do nothing',
      fk.child, fk.child_column, row_key(fk.child, 'r'), fk.child, fk.child_column, fk.parent_column, fk.type, fk.parent,
      fk.child, row_key(fk.child, 'r')) using company, deleted;
  end loop;
end $$;

-- Puts them back, each table after those it refers to. What they referred to may be gone by now: then as the database
-- would have done it, the column is empty or the row does not come.
create function restore_contact(company int, deleted int) returns void language plpgsql as $$
declare
  fk record;
  found int;
  changed boolean := true;
  waiting text[];
  next text;
  columns text;
  -- Found once: joined with the catalogue, every row of a long conversation would be read for every reference.
  tables constant text[] := array(select distinct "tableName" from "deletedContactRows"
    where "companyId" = company and "deletedId" = deleted and link = '');
  links constant text[] := array(select distinct "tableName" || '.' || link from "deletedContactRows"
    where "companyId" = company and "deletedId" = deleted and link <> '');
begin
  while changed loop
    changed := false;
    for fk in select r.* from company_references() r where r.child = any (tables) loop
      -- Each parent is looked up once, by its key: comparing the JSON of every two rows took minutes for a long conversation.
      execute format(
        'with wanted as materialized (
           select distinct d.row ->> %2$L as ref from "deletedContactRows" d
           where d."companyId" = $1 and d."deletedId" = $2 and d."tableName" = %1$L and d.link = '''' and d.row ->> %2$L is not null
         ), missing as materialized (
           select ref from wanted w
           where not exists (select from %3$I p where p."companyId" = $1 and p.%4$I = w.ref::%5$s)
             and not exists (select from "deletedContactRows" p where p."companyId" = $1 and p."deletedId" = $2
               and p."tableName" = %3$L and p.link = '''' and %6$s = w.ref)
         ) ' ||
        case when fk.action = 'n'
          then 'update "deletedContactRows" d set row = d.row || jsonb_build_object(%2$L, null)'
          else 'delete from "deletedContactRows" d' end ||
        ' where d."companyId" = $1 and d."deletedId" = $2 and d."tableName" = %1$L and d.link = ''''
           and d.row ->> %2$L in (select ref from missing)',
        fk.child, fk.child_column, fk.parent, fk.parent_column, fk.type,
        case when row_key(fk.parent, 'x') = format('concat_ws('':'', x.%I)', fk.parent_column)
          then 'p.key' else format('(p.row ->> %L)', fk.parent_column) end) using company, deleted;
      get diagnostics found = row_count;
      changed := changed or found > 0;
    end loop;
  end loop;

  select array_agg(distinct "tableName") into waiting from "deletedContactRows"
    where "companyId" = company and "deletedId" = deleted and link = '';
  while waiting <> '{}' loop
    select t into next from unnest(waiting) t
      where not exists (select from company_references() r where r.child = t and r.parent <> t and r.parent = any (waiting)) limit 1;
    if next is null then raise exception 'tables refer to each other in a circle: %', waiting; end if;
    -- A column that came with a later version has its default.
    select string_agg(format('%I', a.attname), ', ' order by a.attnum) into columns from pg_attribute a
      where a.attrelid = format('%I', next)::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        and a.attname in (select jsonb_object_keys(d.row) from (
          select row from "deletedContactRows" where "companyId" = company and "deletedId" = deleted and "tableName" = next and link = '' limit 1) d);
    execute format(
      'insert into %1$I (%2$s) overriding system value select %2$s from (
         select x.* from "deletedContactRows" d cross join lateral jsonb_populate_record(null::%1$I, d.row) x
         where d."companyId" = $1 and d."deletedId" = $2 and d."tableName" = %1$L and d.link = '''') back on conflict do nothing',
      next, columns) using company, deleted;
    waiting := array_remove(waiting, next);
  end loop;

  for fk in select r.* from company_references() r where r.child || '.' || r.child_column = any (links) loop
    execute format(
      'update %1$I r set %2$I = (d.row ->> %2$L)::%3$s from "deletedContactRows" d
       where d."companyId" = $1 and d."deletedId" = $2 and d."tableName" = %1$L and d.link = %2$L
         and r."companyId" = $1 and d.key = %4$s and r.%2$I is null
         and exists (select from %5$I p where p."companyId" = $1 and p.%6$I = (d.row ->> %2$L)::%3$s)',
      fk.child, fk.child_column, fk.type, row_key(fk.child, 'r'), fk.parent, fk.parent_column) using company, deleted;
  end loop;
end $$;
