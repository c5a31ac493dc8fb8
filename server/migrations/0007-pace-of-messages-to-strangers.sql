-- What protects a number: how fast a line writes to people who did not write to it.

create table "lineSends" (
  id bigint generated always as identity,
  "companyId" int not null,
  "whatsappId" int not null,
  "sentAt" timestamptz not null,
  -- Not before this moment the next one: a little different each time, as people are.
  "nextAt" timestamptz not null,
  primary key ("companyId", id),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade
);
create index "lineSends_line" on "lineSends" ("companyId", "whatsappId", "sentAt" desc);
select tenant_table('"lineSends"');

alter table whatsapps
  -- auto: by the age of the line; own: by the two numbers; off: as fast as it goes.
  add "paceMode" text not null default 'auto' check ("paceMode" in ('auto', 'own', 'off')),
  add "pacePerMinute" int not null default 20 check ("pacePerMinute" between 1 and 600),
  -- Null: no cap.
  add "paceDailyCap" int check ("paceDailyCap" between 1 and 100000),
  -- Since when the line has had this number. The same one linked again keeps its age.
  add "linkedNumber" text not null default '',
  add "linkedSince" timestamptz;
