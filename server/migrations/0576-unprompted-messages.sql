-- Messages that a flow wrote by itself, and not as an answer: campaigns keep their distance from them.
alter table messages add column unprompted boolean not null default false;
create index messages_unprompted on messages ("companyId", "contactId", "createdAt") where unprompted;
