-- Who was made without a password chooses it through a link, once, within its days. Kept is what the link's key signs to.
create table invitations (
  "userId" int primary key,
  "companyId" int not null,
  "keyHash" text not null,
  "expiresAt" timestamptz not null,
  foreign key ("companyId", "userId") references users ("companyId", id) on delete cascade
);
create index invitations_user on invitations ("companyId", "userId");
select tenant_table('invitations');
alter table users add invited boolean not null default false;
