-- Which key a program came with. A copy of its name: the entry stays readable when the key is gone.
alter table audit add "keyId" int, add "keyName" text not null default '';

-- What an entry says about a customer: a name, a number, their words. It lies beside the audit, whose rows nobody may
-- change or delete, so that erasing a person removes it and leaves who did what to which id.
create table "auditContacts" (
  "companyId" int not null references companies on delete cascade,
  "auditId" int not null,
  "contactId" int not null,
  name text not null default '',
  changes jsonb not null default '[]',
  primary key ("companyId", "auditId"),
  foreign key ("companyId", "auditId") references audit ("companyId", id) on delete cascade
);
create index "auditContacts_contact" on "auditContacts" ("companyId", "contactId");
select tenant_table('"auditContacts"');
revoke update on "auditContacts" from recado_app, recado_platform;
