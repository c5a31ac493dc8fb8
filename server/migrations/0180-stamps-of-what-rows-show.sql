-- Rows of lists are kept as finished text by whoever serves them, under a stamp of all they are made of. What many rows
-- show at once (names and colours of people, queues, lines and tags) has one number for the whole company: it grows with
-- each change, in the same transaction. Where one of them goes, its tickets themselves change.
alter table companies add looks int not null default 0;

create function renew_looks() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update companies set looks = looks + 1 where id = new."companyId";
  return null;
end $$;
grant create on schema public to recado_platform;
alter function renew_looks owner to recado_platform;
revoke create on schema public from recado_platform;
create trigger renew_looks after update of name on users for each row
  when (old.name is distinct from new.name) execute function renew_looks();
create trigger renew_looks after update of name, color on queues for each row
  when ((old.name, old.color) is distinct from (new.name, new.color)) execute function renew_looks();
create trigger renew_looks after update of name, provider on whatsapps for each row
  when ((old.name, old.provider) is distinct from (new.name, new.provider)) execute function renew_looks();
create trigger renew_looks after update of name, color, kanban on tags for each row
  when ((old.name, old.color, old.kanban) is distinct from (new.name, new.color, new.kanban)) execute function renew_looks();
