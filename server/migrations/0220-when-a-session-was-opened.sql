-- Who comes every week would stay in for ever: a session also ends so and so long after its login, whatever is used.
-- Of those that live, nobody knows when they were opened: they count from now.
alter table sessions add "openedAt" timestamptz;
update sessions set "openedAt" = now();

-- Where somebody logs in again their row gets another id: from there on it counts anew, also where a process of the
-- release before writes it, which does not know the column.
create function session_opened() returns trigger language plpgsql as $$
begin
  new."openedAt" := new."rotatedAt";
  return new;
end $$;
create trigger session_opened before insert on sessions for each row execute function session_opened();
create trigger session_opened_again before update of id on sessions for each row
  when (new.id is distinct from old.id) execute function session_opened();
