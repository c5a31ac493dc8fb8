-- Of a company that was brought in from another Recado: which export it was. The same one again changes nothing.
alter table companies add "movedFrom" uuid;
create unique index companies_moved_key on companies ("movedFrom") where "movedFrom" is not null;
