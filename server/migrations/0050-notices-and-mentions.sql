-- Who is named in a note. The text says it in words, this says whom.
create table "noteMentions" (
  "companyId" int not null,
  "noteId" int not null,
  "userId" int not null,
  primary key ("companyId", "noteId", "userId"),
  foreign key ("companyId", "noteId") references "ticketNotes" ("companyId", id) on delete cascade,
  foreign key ("companyId", "userId") references users ("companyId", id) on delete cascade
);
create index "noteMentions_user" on "noteMentions" ("companyId", "userId");
select tenant_table('"noteMentions"');

-- What somebody is to be told and has not seen yet: a ticket that was given to them, a note that names them. Seen, it is gone.
create table notices (
  id int generated always as identity primary key,
  "companyId" int not null,
  "userId" int not null,
  kind text not null check (kind in ('assigned', 'mention')),
  "ticketId" int not null,
  "noteId" int,
  "byId" int,
  "byName" text not null,
  "createdAt" timestamptz not null default now(),
  unique ("companyId", id),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete cascade,
  foreign key ("companyId", "ticketId") references tickets ("companyId", id) on delete cascade,
  foreign key ("companyId", "noteId") references "ticketNotes" ("companyId", id) on delete cascade,
  foreign key ("companyId", "byId") references users ("companyId", id) on delete set null ("byId")
);
create index notices_of_user on notices ("companyId", "userId", id desc);
create index notices_ticket on notices ("companyId", "ticketId");
create index notices_note on notices ("companyId", "noteId") where "noteId" is not null;
create index notices_by on notices ("companyId", "byId") where "byId" is not null;
select tenant_table('notices');
