-- How many people a linked line may write to first each day follows from what became of those it wrote to before.
alter table "lineSends" add "contactId" int, add "messageId" bigint;

create table "linePaceDays" (
  "companyId" int not null,
  "whatsappId" int not null,
  -- In the company's time zone.
  day date not null,
  -- How many people the line was allowed to write to first. Null: no limit, or not computed on that day.
  allowed int check (allowed >= 1),
  -- People written to first on this day, and what became of them within some days.
  written int not null default 0,
  delivered int not null default 0,
  read int not null default 0,
  answered int not null default 0,
  -- Messages that WhatsApp refused, and locks; people who asked to get no more.
  refused int not null default 0,
  stopped int not null default 0,
  -- When the outcome was counted last. Null: only refusals and stops were counted.
  "countedAt" timestamptz,
  primary key ("companyId", "whatsappId", day),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade
);
select tenant_table('"linePaceDays"');

-- Lines that were at work before begin with the last two days. What became of these messages was not kept: they count as
-- delivered and read.
insert into "linePaceDays" ("companyId", "whatsappId", day, written, delivered, read)
select "companyId", "whatsappId", ("sentAt" at time zone 'UTC')::date, count(*), count(*), count(*)
from "lineSends" where "sentAt" > now() - interval '2 days' and "sentAt" < date_trunc('day', now()) group by 1, 2, 3;
