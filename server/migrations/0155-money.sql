-- What companies owe and what they paid. Companies read their own; only the platform writes, since money is its own affair.
-- Amounts are whole cents.

-- Brazilian providers ask who pays: CPF, CNPJ or whatever the country's number is.
alter table companies add "billingDocument" text not null default '';
-- An admin writes what their bills are made out to, and nothing else of the row.
grant update ("billingName", "billingDocument", "addressStreet", "addressDistrict", "addressCity", "addressState", "addressZipCode", "addressCountry") on companies to recado_app;

create table invoices (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  -- Frozen when it is made: later changes of the plan's name and price are not this invoice's.
  detail text not null,
  cents int not null check (cents > 0),
  "dueDate" date not null,
  status text not null default 'open' check (status in ('open', 'paid', 'cancelled', 'replaced')),
  -- plan: the next period. change: the rest of this period on another plan. hand: written by the super user.
  kind text not null default 'hand' check (kind in ('plan', 'change', 'hand')),
  -- How far paying it moves the company's due date.
  months int not null default 0,
  -- The plan it is for, which a change gives the company when it is paid.
  "planId" int references plans on delete set null,
  "paidAt" timestamptz,
  "paidBy" text check ("paidBy" in ('pix', 'efi', 'asaas', 'hand')),
  note text not null default '',
  "replacedById" int,
  -- Its people say that they have paid a code whose payment nobody tells us of.
  "claimedAt" timestamptz,
  "createdAt" timestamptz not null default now(),
  unique ("companyId", id),
  foreign key ("companyId", "replacedById") references invoices ("companyId", id)
);
-- One for each company and due date, whoever makes it and how often. One that was cancelled by hand stays cancelled.
create unique index invoices_once on invoices ("companyId", "dueDate") where kind = 'plan' and status <> 'replaced';
create index invoices_page on invoices ("companyId", "dueDate" desc, id desc);
create index invoices_all on invoices (status, "dueDate", id);
create index invoices_newest on invoices ("dueDate" desc, id desc);
create index invoices_paid on invoices ("paidAt") where status = 'paid';
create index invoices_plan on invoices ("planId");
create index invoices_replaced on invoices ("companyId", "replacedById") where "replacedById" is not null;
select tenant_table('invoices');
revoke insert, update, delete on invoices from recado_app;

-- A code that somebody can pay. Several may be out for one invoice.
create table charges (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  "invoiceId" int not null,
  provider text not null check (provider in ('pix', 'efi', 'asaas')),
  txid text not null,
  -- What the provider calls it, where that is not the txid.
  reference text not null default '',
  code text not null,
  cents int not null check (cents > 0),
  status text not null default 'open' check (status in ('open', 'paid', 'over')),
  "expiresAt" timestamptz,
  -- When the provider is asked next, for webhooks that never come. Null: not any more.
  "lookAt" timestamptz,
  "createdAt" timestamptz not null default now(),
  unique ("companyId", id),
  constraint charges_txid_key unique (provider, txid),
  foreign key ("companyId", "invoiceId") references invoices ("companyId", id) on delete cascade
);
create index charges_invoice on charges ("companyId", "invoiceId");
create index charges_reference on charges (provider, reference);
create index charges_look on charges ("lookAt") where "lookAt" is not null;
select tenant_table('charges');
revoke insert, update, delete on charges from recado_app;

-- Every payment that a provider told us of, once. What pays no invoice waits here for the super user.
create table payments (
  id int generated always as identity primary key,
  provider text not null check (provider in ('pix', 'efi', 'asaas')),
  -- The provider's own name of the payment: the same one never counts twice.
  reference text not null,
  txid text not null default '',
  cents int not null check (cents > 0),
  payer text not null default '',
  "paidAt" timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'used', 'settled')),
  why text not null default 'unknown' check (why in ('unknown', 'short', 'settled', 'fits')),
  "chargeId" int references charges on delete set null,
  "invoiceId" int references invoices on delete set null,
  note text not null default '',
  "createdAt" timestamptz not null default now(),
  constraint payments_reference_key unique (provider, reference)
);
create index payments_waiting on payments (id desc) where state = 'waiting';
create index payments_charge on payments ("chargeId");
create index payments_invoice on payments ("invoiceId");
grant select, insert, update, delete on payments to recado_platform;

-- How the platform is paid: one row. What opens an account at a provider is sealed.
create table "moneySettings" (
  one boolean primary key default true check (one),
  provider text not null default 'pix' check (provider in ('pix', 'efi', 'asaas')),
  plain jsonb not null default '{}',
  sealed text
);
insert into "moneySettings" default values;
grant select, update on "moneySettings" to recado_platform;

-- Which reminders of a due date have gone out: each once.
create table reminders (
  "companyId" int not null references companies on delete cascade,
  "dueDate" date not null,
  -- Days until it, negative once it has passed.
  days int not null,
  "createdAt" timestamptz not null default now(),
  primary key ("companyId", "dueDate", days)
);
select tenant_table('reminders');
