-- The person who looks after a contact. Routing asks them first.
alter table contacts
  add "ownerId" int,
  add foreign key ("companyId", "ownerId") references users ("companyId", id) on delete set null ("ownerId");
create index contacts_owner on contacts ("companyId", "ownerId") where "ownerId" is not null;
alter table queues add "ownerFirst" boolean not null default true;

create or replace trigger contacts_changed_for_views after update on contacts for each row
  when ((old.name, old.number, old.email, old."ownerId") is distinct from (new.name, new.number, new.email, new."ownerId"))
  execute function record_view_change_by_contact();
