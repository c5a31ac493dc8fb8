-- Old messages that somebody asked a linked phone for.

-- The last asking of each line, and how far it has come.
create table "lineHistory" (
  "companyId" int not null,
  "whatsappId" int not null,
  state text not null check (state in ('running', 'done', 'stopped', 'silent')),
  -- Whom to ask about, newest first; null until the phone's chats have been looked at.
  todo jsonb,
  done int not null default 0,
  messages int not null default 0,
  "startedAt" timestamptz not null,
  primary key ("companyId", "whatsappId"),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade
);
select tenant_table('"lineHistory"');

-- Where what was said before the desk stands: closed from the beginning, one per person and line. Older messages come
-- into it after newer ones, so its newest is found by their own time.
alter table tickets add past boolean not null default false;
