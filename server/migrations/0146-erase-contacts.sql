-- People who asked to be erased: how far it is, and that it was done. Nothing here says who they were.
create table "contactErasures" (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  -- No reference: the contact is gone afterwards.
  "contactId" int not null,
  "userId" int,
  "userName" text not null default '',
  state text not null default 'running' check (state in ('running', 'done')),
  total int not null default 0,
  done int not null default 0,
  "createdAt" timestamptz not null default now(),
  "endedAt" timestamptz,
  unique ("companyId", id),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete set null ("userId")
);
create unique index "contactErasures_running" on "contactErasures" ("companyId", "contactId") where state = 'running';
create index "contactErasures_user" on "contactErasures" ("companyId", "userId") where "userId" is not null;
select tenant_table('"contactErasures"');

-- Whom no campaign may write to although nothing is known of them any more: their telephone's mark. Each company has a salt
-- of its own, so that marks of two companies cannot be compared, and no list made beforehand helps.
alter table companies add "stopSalt" uuid not null default gen_random_uuid();
create function stop_mark(salt uuid, key text) returns text language sql immutable parallel safe as
  $$ select 'h:' || encode(sha256(convert_to(salt::text || key, 'UTF8')), 'hex') $$;
