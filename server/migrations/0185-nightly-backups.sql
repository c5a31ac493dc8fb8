-- What became of the backups that the house makes by itself. They are the operator's: no company reads of them.
create table backups (
  id int generated always as identity primary key,
  "startedAt" timestamptz not null,
  "endedAt" timestamptz not null,
  file text,
  bytes bigint,
  -- Null: it was made.
  error text
);
grant select, insert, delete on backups to recado_platform;
