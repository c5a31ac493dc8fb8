-- What issues 4 and 5 left open.

-- A transfer to somebody in another queue has its own wording now. Who wrote one for people goes on saying it there too.
insert into settings ("companyId", key, value)
select "companyId", 'transferBothText', value from settings where key = 'transferUserText' and value <> ''
on conflict do nothing;

-- What a file weighs and, of a PDF, how long it is: kept when the file is. Of what was there before nobody looked.
alter table messages add "mediaSize" bigint, add "mediaPages" int;

-- The newest message of a ticket's person where it stands in another of their tickets: in the one that ended when two
-- contacts were found to be one. Newer ones of its own take its place.
alter table tickets add "lastElsewhere" bigint;
create index tickets_elsewhere on tickets ("companyId", "lastElsewhere") where "lastElsewhere" is not null;
