-- Since when a customer waits for somebody's answer: their first message after the last one of a person. What the house
-- says by itself answers nothing. It changes once a wait, not with every message: its indexes cost a burst nothing.
alter table tickets add "waitingSince" timestamptz;
-- As the owner of all rows: who owns the tables need not see them.
set local role recado_platform;
update tickets t set "waitingSince" = (
  select min(m."createdAt") from messages m
  where m."companyId" = t."companyId" and m."ticketId" = t.id and not m."fromMe" and m.id > coalesce((
    select max(p.id) from messages p
    where p."companyId" = t."companyId" and p."ticketId" = t.id and p."fromMe" and p.bot is null), 0)
) where t.status in ('open', 'pending');
reset role;
create index tickets_waiting on tickets ("companyId", status, "waitingSince") where status in ('open', 'pending');
create index tickets_waiting_of_user on tickets ("companyId", "userId", status, "waitingSince") where status in ('open', 'pending');
create index tickets_waiting_of_queue on tickets ("companyId", "queueId", status, "waitingSince") where status in ('open', 'pending');
