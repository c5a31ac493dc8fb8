-- An amount of 30,000,000 has more cents than an int holds: amounts in Colombian or Chilean pesos are that large.
alter table invoices alter cents type bigint;
alter table charges alter cents type bigint;
alter table payments alter cents type bigint;
alter table "moneyEvents" alter cents type bigint;

-- The day of the month on which a company is due. A company due on the 31st is due on the last day of a shorter month,
-- and on the 31st again in the next longer one. Null: the day of its due date.
alter table companies add "billingDay" smallint check ("billingDay" between 1 and 31);
