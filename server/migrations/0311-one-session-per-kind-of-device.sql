-- A user may work on a computer and a phone at the same time (setting "sessionsPerUser"). "sessions" keeps one row per
-- user, because the previous release inserts with "on conflict (userId)". Further sessions of the user are in a child
-- table: queries on "sessions" see its rows too, so each release finds, refreshes and ends them.
alter table sessions add device text not null default 'computer' check (device in ('computer', 'phone'));

create table "furtherSessions" (
  primary key (id),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete cascade
) inherits (sessions);
create index "furtherSessions_user" on "furtherSessions" ("companyId", "userId");
select tenant_table('"furtherSessions"');
revoke insert, update on "furtherSessions" from recado_app;
create trigger session_opened before insert on "furtherSessions" for each row execute function session_opened();
create trigger who_changed after insert or update or delete on "furtherSessions" for each statement execute function say_who_changed();
