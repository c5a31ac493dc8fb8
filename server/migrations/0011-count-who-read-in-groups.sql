-- Templates are read differently now: what was kept of them is asked for again.
update "cloudLines" set templates = null, "templatesAt" = null;

-- A message into a group is read when everybody it went to has read it: to how many it went, and who has. Kept by the line
-- until then, a month at most.
create table "groupSends" (
  "companyId" int not null,
  "whatsappId" int not null,
  wid text not null,
  members int not null,
  "sentAt" timestamptz not null,
  primary key ("companyId", "whatsappId", wid),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade
);
create index "groupSends_company" on "groupSends" ("companyId", "whatsappId", "sentAt");
select tenant_table('"groupSends"');

create table "groupReads" (
  "companyId" int not null,
  "whatsappId" int not null,
  wid text not null,
  reader text not null,
  primary key ("companyId", "whatsappId", wid, reader),
  foreign key ("companyId", "whatsappId", wid) references "groupSends" ("companyId", "whatsappId", wid) on delete cascade
);
select tenant_table('"groupReads"');
