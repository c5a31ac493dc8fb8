-- What a user has typed in a ticket and not sent, on every device of the user. An empty one was sent or deleted: it stays
-- for a while, so that a device that was offline does not bring it back.
create table drafts (
  "companyId" int not null,
  "userId" int not null,
  "ticketId" int not null,
  mode text not null check (mode in ('reply', 'note')),
  body text not null check (length(body) <= 65536),
  "updatedAt" timestamptz not null,
  primary key ("companyId", "userId", "ticketId", mode),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete cascade,
  foreign key ("companyId", "ticketId") references tickets ("companyId", id) on delete cascade
);
create index drafts_ticket on drafts ("companyId", "ticketId");
select tenant_table('drafts');
