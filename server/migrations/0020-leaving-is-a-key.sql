-- That a linked phone is to be told that we leave stands among its keys: the line itself writes them, and goes with them.
insert into "linkedKeys" ("companyId", "whatsappId", type, id, value)
select w."companyId", w.id, 'leaving', '', '' from whatsapps w
where w."leavePhone" and exists (select from "linkedKeys" k where k."companyId" = w."companyId" and k."whatsappId" = w.id)
on conflict do nothing;
alter table whatsapps drop "leavePhone";
