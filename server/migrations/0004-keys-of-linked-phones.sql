-- Lines that are a linked phone: their keys, a row each, and how they are linked.

create table "linkedKeys" (
  "companyId" int not null,
  "whatsappId" int not null,
  -- What kind of key, as the client library names them; 'creds' is the device itself.
  type text not null,
  id text not null,
  -- Sealed like every secret.
  value text not null,
  "updatedAt" timestamptz not null default now(),
  primary key ("whatsappId", type, id),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade
)
-- Every message renews a row of two to four kilobytes: there is room for the new one on its page, and none goes aside.
with (fillfactor = 60, toast_tuple_target = 8160);
alter table "linkedKeys" alter value set storage main;
create index "linkedKeys_company" on "linkedKeys" ("companyId", "whatsappId");
select tenant_table('"linkedKeys"');

alter table whatsapps
  -- The eight characters to type on the phone, while they are valid, and the number they were asked for.
  add "pairingCode" text not null default '',
  add "pairingNumber" text not null default '',
  -- The phone is to be told that we leave, and our keys are to be forgotten.
  add "leavePhone" boolean not null default false;
