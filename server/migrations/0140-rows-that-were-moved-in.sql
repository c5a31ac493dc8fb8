-- What an import brought in: which row of the other system is which of ours. By it a run that was broken off goes on,
-- and a second one doubles nothing. It goes with its company.
create table "movedRows" (
  "companyId" int not null references companies on delete cascade,
  -- One installation of the other system, known again by what never changes in it.
  source text not null,
  kind text not null,
  "oldId" text not null,
  -- Null: it has no number of its own here.
  "newId" bigint,
  primary key ("companyId", source, kind, "oldId")
);
create index "movedRows_source" on "movedRows" (source, kind);
select tenant_table('"movedRows"');

-- Tickets that come from elsewhere keep the number people know them by; the next one of ours comes after them.
create function raise_numbers(company int, past int) returns void language plpgsql security definer set search_path = pg_catalog as $$
begin
  execute format('select setval(%L, greatest(last_value, %s)) from numbers.%I',
    format('numbers.%I', 'tickets_' || company), past, 'tickets_' || company);
end $$;
revoke execute on function raise_numbers(int, int) from public;
grant execute on function raise_numbers(int, int) to recado_platform;

-- A refused login does the work of both kinds of hash while somebody still has one that came from elsewhere.
create index users_brought on users (id) where "passwordHash" like '$2%';
