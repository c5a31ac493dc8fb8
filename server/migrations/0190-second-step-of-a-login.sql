-- A second step at the login: a secret that an app of theirs makes codes of. Beside the users, whose rows many read.
create table "secondFactors" (
  "userId" int primary key,
  "companyId" int not null references companies on delete cascade,
  "secretSealed" text not null,
  -- The last moment (in steps of half a minute) whose code was used: none opens the door twice.
  step bigint not null default 0,
  -- Null: begun, and not confirmed by a code yet.
  "confirmedAt" timestamptz,
  -- What is left of the codes for who has lost the app, as marks made with the secret of the house.
  recovery text[] not null default '{}',
  foreign key ("companyId", "userId") references users ("companyId", id) on delete cascade
);
create index "secondFactors_company" on "secondFactors" ("companyId", "userId");
select tenant_table('"secondFactors"');

-- What one person did, newest first: their logins.
drop index audit_user;
create index audit_user on audit ("companyId", "userId", id desc);
-- By what was done: the search of an admin.
create index audit_deed on audit ("companyId", deed text_pattern_ops, id desc);
-- What is written down there stays as it is.
revoke update, delete on audit from recado_app, recado_platform;
