-- Each process remembers for a second who asks (accounts/sessions.ts). Whoever changes a person, their queues, company,
-- plan or session says so to all of them, with the commit.
create function say_who_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('recado', 'who');
  return null;
end $$;

create trigger who_changed after insert or update or delete on sessions for each statement execute function say_who_changed();
create trigger who_changed after insert or update or delete on users for each statement execute function say_who_changed();
create trigger who_changed after insert or update or delete on "userQueues" for each statement execute function say_who_changed();
create trigger who_changed after insert or update or delete on companies for each statement execute function say_who_changed();
create trigger who_changed after insert or update or delete on plans for each statement execute function say_who_changed();
create trigger who_changed after insert or update or delete on settings for each statement execute function say_who_changed();
