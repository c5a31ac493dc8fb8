-- What a bot wants to know from somebody else's machine before it can act (automation/asking). Written in the transaction
-- that stored the message, asked after it; performed once, and only if the ticket is still as it was then.
create table asks (
  id bigint generated always as identity primary key,
  "companyId" int not null,
  "ticketId" int not null,
  -- The bot that asks, and whom it asks.
  bot text not null,
  asker text not null,
  about jsonb not null default '{}',
  -- How the ticket was.
  seen jsonb not null,
  -- Grows each time somebody takes it up: what a former one still tries to write is refused.
  fence int not null default 0,
  failures int not null default 0,
  error text,
  "askedAt" timestamptz not null,
  "notBefore" timestamptz not null,
  -- Who asks renews it while they wait for the answer; after it another process may take it up.
  "heldUntil" timestamptz not null default 'epoch',
  foreign key ("companyId", "ticketId") references tickets ("companyId", id) on delete cascade
);
create index asks_ticket on asks ("companyId", "ticketId", id);
create index asks_due on asks ("notBefore", id);
select tenant_table('asks');
