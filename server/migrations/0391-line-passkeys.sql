-- Linking a phone with a passkey: WhatsApp waits for a signature that a person makes in another browser. Any process may
-- receive it; the process that runs the line continues. A row lives for ten minutes at most.
create table "linePasskeys" (
  "companyId" int not null,
  "whatsappId" int not null,
  -- The lease under which WhatsApp asked: a process that lost the line must not delete the row of its successor.
  fence int not null,
  stage text not null default 'sign' check (stage in ('sign', 'signed', 'compare', 'confirmed', 'cancelled')),
  options jsonb not null,
  -- A hash of the one-time address. Null: none was made, or it was used.
  "tokenHash" text,
  "assertionSealed" text,
  code text not null default '',
  "expiresAt" timestamptz not null,
  primary key ("companyId", "whatsappId"),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade
);
create index "linePasskeys_token" on "linePasskeys" ("tokenHash") where "tokenHash" is not null;
select tenant_table('"linePasskeys"');
