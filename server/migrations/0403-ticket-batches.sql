-- The same action on many tickets, carried out one by one in the background.
create table "ticketBatches" (
  id int generated always as identity,
  "companyId" int not null,
  "userId" int not null,
  action jsonb not null,
  state text not null default 'running' check (state in ('running', 'done', 'stopped', 'undoing', 'undone')),
  total int not null,
  done int not null default 0,
  refused int not null default 0,
  undone int not null default 0,
  "createdAt" timestamptz not null default now(),
  "endedAt" timestamptz,
  primary key ("companyId", id),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete cascade
);
create index "ticketBatches_user" on "ticketBatches" ("companyId", "userId", id desc);
-- One at a time per person.
create unique index "ticketBatches_running_key" on "ticketBatches" ("companyId", "userId") where state in ('running', 'undoing');
select tenant_table('"ticketBatches"');

-- A ticket of a batch. Its id may be one that the person cannot see or that does not exist: then it is refused.
create table "ticketBatchItems" (
  "companyId" int not null,
  "batchId" int not null,
  position int not null,
  "ticketId" int not null,
  -- 'kept': done, and could not be undone.
  state text not null default 'waiting' check (state in ('waiting', 'done', 'refused', 'undone', 'kept')),
  -- The error code of a refused or kept ticket.
  error text,
  -- What an undo restores; null: nothing was changed.
  undo jsonb,
  primary key ("companyId", "batchId", position),
  foreign key ("companyId", "batchId") references "ticketBatches" ("companyId", id) on delete cascade
);
create index "ticketBatchItems_state" on "ticketBatchItems" ("companyId", "batchId", state, position);
select tenant_table('"ticketBatchItems"');
