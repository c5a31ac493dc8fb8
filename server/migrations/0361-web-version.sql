-- The version of WhatsApp Web with which linked lines present themselves. One row for the installation, shared by all
-- of its processes.
create table "webVersion" (
  id boolean primary key default true check (id),
  -- The version that the super user chose by hand.
  pinned text,
  -- The version that WhatsApp's own page named last, and when somebody last asked.
  found text,
  "foundAt" timestamptz,
  "lookedUpAt" timestamptz,
  -- The highest version with which a line was connected: lines never use a lower one, unless one is pinned.
  accepted text,
  "acceptedAt" timestamptz,
  -- The version that WhatsApp refuses as too old, until a line is connected again.
  refused text,
  "refusedAt" timestamptz
);
grant select, insert, update on "webVersion" to recado_platform;
