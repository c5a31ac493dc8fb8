-- Each company counts its own tickets from 1; `number` is what people call a ticket by, `id` what programs do. A counter in
-- a row would be held from the moment a message opens a ticket until everything it causes is written, and whoever else
-- writes to that company would wait for it. A sequence waits for nobody; what is undone leaves a gap.
create schema numbers;

create function open_numbers(company int, next int) returns void language plpgsql security definer set search_path = pg_catalog as $$
begin
  execute format('create sequence numbers.%I as int start %s', 'tickets_' || company, next);
end $$;
revoke execute on function open_numbers(int, int) from public;

create function company_opens_numbers() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  perform public.open_numbers(new.id, 1);
  return null;
end $$;
create function company_drops_numbers() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  execute format('drop sequence if exists numbers.%I', 'tickets_' || old.id);
  return null;
end $$;
create function number_ticket() returns trigger language plpgsql security definer set search_path = pg_catalog as $$
begin
  new.number := nextval(format('numbers.%I', 'tickets_' || new."companyId")::regclass);
  return new;
end $$;

alter table tickets add number int;

do $$
declare
  first_free jsonb;
  company record;
begin
  -- As the owner of all rows: who owns the tables need not see them.
  set local role recado_platform;
  update tickets t set number = n.number
    from (select id, row_number() over (partition by "companyId" order by id) as number from tickets) n where n.id = t.id;
  select jsonb_object_agg(c.id, 1 + (select count(*) from tickets t where t."companyId" = c.id)) into first_free from companies c;
  reset role;
  for company in select key::int as id, value::int as next from jsonb_each_text(coalesce(first_free, '{}')) loop
    perform open_numbers(company.id, company.next);
  end loop;
end $$;

alter table tickets alter number set not null;
create unique index tickets_number_key on tickets ("companyId", number);
create trigger opens_numbers after insert on companies for each row execute function company_opens_numbers();
create trigger drops_numbers after delete on companies for each row execute function company_drops_numbers();
create trigger numbered before insert on tickets for each row when (new.number is null) execute function number_ticket();
