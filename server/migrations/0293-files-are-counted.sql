-- What each plan gives its companies for files, in megabytes; null is no limit.
alter table plans add "storageMb" int default 10240 check ("storageMb" >= 0);

-- Every file in the store and its size. Copies of a file share its bytes (on a disk they are links): the row whose name is
-- the origin has the bytes, its copies have none.
create table "storedFiles" (
  "companyId" int not null references companies (id) on delete cascade,
  name text not null,
  origin text not null,
  bytes bigint not null check (bytes >= 0),
  "createdAt" timestamptz not null default now(),
  primary key ("companyId", name)
);
create index "storedFiles_origin" on "storedFiles" ("companyId", origin) where bytes = 0;
select tenant_table('"storedFiles"');

-- How much a company has stored is kept as tallies are: a sum of small rows, so no upload waits for another.
alter table tallies drop constraint tallies_kind_check;
alter table tallies add constraint tallies_kind_check check (kind in ('contacts', 'groups', 'tag', 'bytes'));
create function tally_stored_files() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into tallies ("companyId", kind, "of", n)
  select c.id, 'bytes', 0, case tg_op when 'INSERT' then sum(x.bytes) else -sum(x.bytes) end
  from changed x join companies c on c.id = x."companyId" where x.bytes > 0 group by 1;
  if random() < 0.02 then perform add_up_tallies(id) from (select distinct "companyId" as id from changed) x; end if;
  return null;
end $$;
create function tally_stored_bytes() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into tallies ("companyId", kind, "of", n) values (new."companyId", 'bytes', 0, new.bytes - old.bytes);
  return null;
end $$;
grant create on schema public to recado_platform;
alter function tally_stored_files owner to recado_platform;
alter function tally_stored_bytes owner to recado_platform;
revoke create on schema public from recado_platform;
create trigger tally_new after insert on "storedFiles" referencing new table as changed for each statement execute function tally_stored_files();
create trigger tally_gone after delete on "storedFiles" referencing old table as changed for each statement execute function tally_stored_files();
create trigger tally after update of bytes on "storedFiles" for each row when (old.bytes <> new.bytes) execute function tally_stored_bytes();

create function stored_bytes(company int) returns bigint language sql stable as $$
  select coalesce(sum(n), 0)::bigint from tallies where "companyId" = company and kind = 'bytes'
$$;
-- Null is no limit.
create function storage_quota(company int) returns bigint language sql stable as $$
  select p."storageMb"::bigint * 1048576 from companies c join plans p on p.id = c."planId" where c.id = company
$$;

-- Files are gone. Where copies of one stay, the first of them takes over its bytes.
create function forget_stored_files(company int, names text[]) returns void language plpgsql as $$
begin
  with gone as (
    delete from "storedFiles" where "companyId" = company and name = any(names) returning name, bytes
  ), heirs as (
    select g.name as origin, g.bytes, (
      select min(f.name) from "storedFiles" f
      where f."companyId" = company and f.origin = g.name and f.bytes = 0 and f.name <> all(names)) as heir
    from gone g where g.bytes > 0
  )
  update "storedFiles" f set origin = h.heir, bytes = case when f.name = h.heir then h.bytes else 0 end
  from heirs h where h.heir is not null and f."companyId" = company and f.origin = h.origin and f.bytes = 0
    and f.name <> all(names);
end $$;
