-- What happened to a company's money, and who did it: only ever written, read by the super user.
create table "moneyEvents" (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  at timestamptz not null default now(),
  kind text not null default 'written' check (kind in ('written', 'replaced', 'cancelled', 'paid', 'charged', 'claimed', 'received', 'settled', 'reminded', 'due', 'plan', 'recurrence')),
  "invoiceId" int,
  cents int,
  -- How it was paid or is to be paid.
  way text check (way in ('pix', 'efi', 'asaas', 'hand')),
  -- What changed, from what to what: days, names of plans, recurrences.
  before text not null default '',
  after text not null default '',
  note text not null default '',
  -- Who did it; empty: the house by itself. The super user is of another company: a name, and no reference.
  "userName" text not null default '',
  unique ("companyId", id),
  foreign key ("companyId", "invoiceId") references invoices ("companyId", id) on delete set null ("invoiceId")
);
create index "moneyEvents_page" on "moneyEvents" ("companyId", at desc, id desc);
create index "moneyEvents_invoice" on "moneyEvents" ("companyId", "invoiceId");
select tenant_table('"moneyEvents"');
revoke insert, update, delete on "moneyEvents" from recado_app;

-- What is known of the time before.
insert into "moneyEvents" ("companyId", at, kind, "invoiceId", cents, way, note, after)
select * from (
  select "companyId", "createdAt" as at, 'written', id, cents, null, detail, "dueDate"::text from invoices
  union all
  select "companyId", "paidAt", 'paid', id, cents, "paidBy", note, '' from invoices where status = 'paid' and "paidAt" is not null
  union all
  select "companyId", "claimedAt", 'claimed', id, cents, null, '', '' from invoices where "claimedAt" is not null
  union all
  select "companyId", "createdAt", 'charged', "invoiceId", cents, provider, txid, '' from charges
  union all
  select c."companyId", p."paidAt", 'received', c."invoiceId", p.cents, p.provider, p.reference, '' from payments p join charges c on c.id = p."chargeId"
  union all
  select "companyId", "createdAt", 'reminded', null, null, null, '', "dueDate"::text from reminders
) known order by at;
