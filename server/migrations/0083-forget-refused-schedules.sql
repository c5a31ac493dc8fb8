-- The clock looks at those under way, and only at the latest of those that were refused: these grow without end.
drop index schedules_under_way;
create index schedules_under_way on schedules ("messageId") where status = 'AGENDADA' and "messageId" is not null;
create index schedules_refused on schedules ("sendAt") where status = 'ERRO' and "messageId" is not null;
