-- Companies pay in their own currency. Everything that exists is in reais.

-- A plan's value is in the plan's currency; `prices` has what it costs in others: [{ "currency": "ARS", "value": 9000 }].
alter table plans
  add currency text not null default 'BRL' check (currency in ('BRL', 'ARS', 'CLP', 'COP', 'MXN', 'PEN', 'UYU', 'EUR', 'USD')),
  add prices jsonb not null default '[]' check (jsonb_typeof(prices) = 'array');
alter table companies
  add currency text not null default 'BRL' check (currency in ('BRL', 'ARS', 'CLP', 'COP', 'MXN', 'PEN', 'UYU', 'EUR', 'USD'));
-- The currency at the time of issue: a later change of the company's currency is not this invoice's.
alter table invoices
  add currency text not null default 'BRL' check (currency in ('BRL', 'ARS', 'CLP', 'COP', 'MXN', 'PEN', 'UYU', 'EUR', 'USD'));
alter table "moneyEvents"
  add currency text not null default 'BRL' check (currency in ('BRL', 'ARS', 'CLP', 'COP', 'MXN', 'PEN', 'UYU', 'EUR', 'USD')),
  drop constraint "moneyEvents_kind_check",
  add constraint "moneyEvents_kind_check" check (kind in ('written', 'replaced', 'cancelled', 'paid', 'charged', 'claimed', 'received', 'settled', 'reminded', 'due', 'plan', 'recurrence', 'currency'));
