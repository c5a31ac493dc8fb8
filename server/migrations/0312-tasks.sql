-- The to-do list of each user. Older clients keep theirs in the browser; ours moves such a list here.
create table tasks (
  id int generated always as identity,
  "companyId" int not null,
  "userId" int not null,
  text text not null,
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null default now(),
  primary key ("companyId", id),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete cascade
);
-- A list that two tabs move at the same time is stored once.
create unique index tasks_key on tasks ("companyId", "userId", "createdAt", md5(text));
select tenant_table('tasks');
