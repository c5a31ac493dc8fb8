-- That a linked phone is to be told that we leave stands among its keys: the line itself writes them, and goes with them.
-- As the owner of all rows: who owns the tables need not see them.
set local role recado_platform;
insert into "linkedKeys" ("companyId", "whatsappId", type, id, value)
select w."companyId", w.id, 'leaving', '', '' from whatsapps w
where w."leavePhone" and exists (select from "linkedKeys" k where k."companyId" = w."companyId" and k."whatsappId" = w.id)
on conflict do nothing;
reset role;
alter table whatsapps drop "leavePhone";
