-- What routing counts and asks for: the places that a ticket takes of an agent's capacity, and the skills it needs.
create table skills (
  id int generated always as identity,
  "companyId" int not null references companies (id) on delete cascade,
  name text not null,
  -- The language that the skill stands for, as ISO 639 code. Null: none.
  language text,
  "createdAt" timestamptz not null default now(),
  primary key ("companyId", id)
);
create unique index skills_name on skills ("companyId", lower(name));
create unique index skills_language on skills ("companyId", language) where language is not null;
select tenant_table('skills');

-- Ids of skills have no foreign keys: the trigger below removes those of a deleted skill.
alter table users add "skillIds" int[] not null default '{}';
alter table queues
  add weight smallint not null default 1 check (weight between 1 and 10),
  add "skillIds" int[] not null default '{}',
  -- A ticket also needs the skill that stands for its customer's language.
  add "asksLanguage" boolean not null default false,
  -- Minutes after which a ticket goes to anybody. Null: it waits for somebody with the skills.
  add "skillTimeoutMinutes" int check ("skillTimeoutMinutes" between 1 and 1440);
alter table tags
  add weight smallint not null default 1 check (weight between 1 and 10),
  add "skillIds" int[] not null default '{}';
alter table "queueOptions" add "skillIds" int[] not null default '{}';
alter table tickets
  -- The option of a menu with which the customer came to a person. It counts until the ticket is closed or leaves the queue.
  add "chosenOptionId" int,
  -- The largest weight of its tags.
  add "tagWeight" smallint not null default 1,
  -- The skills that its tags and its menu option ask for, in ascending order.
  add "skillIds" int[] not null default '{}',
  -- The skill that stands for the customer's language. 0: none.
  add "languageSkillId" int not null default 0,
  add foreign key ("companyId", "chosenOptionId") references "queueOptions" ("companyId", id) on delete set null ("chosenOptionId");
create index tickets_chosen_option on tickets ("companyId", "chosenOptionId") where "chosenOptionId" is not null;
-- The waiting tickets of a queue by what they need: routing looks at the first of each group only.
create index tickets_routing_groups on tickets
  ("companyId", "queueId", "skillIds", "languageSkillId", "tagWeight", priority, "routableSince", id)
  where "routableSince" is not null;

create function remove_deleted_skill() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from companies where id = old."companyId") then return null; end if;
  update users set "skillIds" = array_remove("skillIds", old.id) where "companyId" = old."companyId" and "skillIds" @> array[old.id];
  update queues set "skillIds" = array_remove("skillIds", old.id) where "companyId" = old."companyId" and "skillIds" @> array[old.id];
  update tags set "skillIds" = array_remove("skillIds", old.id) where "companyId" = old."companyId" and "skillIds" @> array[old.id];
  update "queueOptions" set "skillIds" = array_remove("skillIds", old.id) where "companyId" = old."companyId" and "skillIds" @> array[old.id];
  -- Routing ignores the skill in tickets that wait.
  insert into "routingRequests" ("companyId", "queueId")
  select "companyId", id from queues where "companyId" = old."companyId" and routing <> 'manual';
  perform pg_notify('recado', 'routing');
  return null;
end $$;
comment on function remove_deleted_skill() is 'Takes a deleted skill from the people, queues, tags and menu options that had it.';

create function routing_needs(company int, ticket int, contact int, chosen_option int)
returns table ("tagWeight" smallint, "skillIds" int[], "languageSkillId" int) language sql stable as $$
  select
    coalesce((select max(g.weight) from "ticketTags" x join tags g on g."companyId" = x."companyId" and g.id = x."tagId"
      where x."companyId" = company and x."ticketId" = ticket), 1::smallint),
    array(
      select unnest(g."skillIds") from "ticketTags" x join tags g on g."companyId" = x."companyId" and g.id = x."tagId"
      where x."companyId" = company and x."ticketId" = ticket
      union
      select unnest(o."skillIds") from "queueOptions" o where o."companyId" = company and o.id = chosen_option
      order by 1),
    coalesce((select s.id from contacts c
      join skills s on s."companyId" = c."companyId" and s.language = lower(split_part(c.language, '-', 1))
      where c."companyId" = company and c.id = contact), 0)
$$;
comment on function routing_needs(int, int, int, int) is 'What a ticket needs of an agent by its tags, its menu option and its contact.';

create function set_routing_needs() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'UPDATE' and new."chosenOptionId" is not null and new."chosenOptionId" is not distinct from old."chosenOptionId"
    and (new.status = 'closed' or new."queueId" is distinct from old."queueId") then
    new."chosenOptionId" = null;
  end if;
  if new."routableSince" is not null and (tg_op = 'INSERT'
    or (old."routableSince", old."chosenOptionId", old."contactId")
      is distinct from (new."routableSince", new."chosenOptionId", new."contactId")) then
    select n."tagWeight", n."skillIds", n."languageSkillId" into new."tagWeight", new."skillIds", new."languageSkillId"
    from routing_needs(new."companyId", new.id, new."contactId", new."chosenOptionId") n;
  end if;
  return new;
end $$;
comment on function set_routing_needs() is 'Records what a ticket needs of an agent when it begins to wait for one.';

create function refresh_needs_by_tag() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changed record := case when tg_op = 'DELETE' then old else new end;
begin
  if tg_op = 'INSERT' and not exists (select from tags g
    where g."companyId" = new."companyId" and g.id = new."tagId" and (g.weight > 1 or g."skillIds" <> '{}')) then
    return null;
  end if;
  update tickets t set "tagWeight" = n."tagWeight", "skillIds" = n."skillIds"
  from tickets b cross join lateral routing_needs(b."companyId", b.id, b."contactId", b."chosenOptionId") n
  where t."companyId" = changed."companyId" and t.id = changed."ticketId" and b."companyId" = t."companyId" and b.id = t.id
    and (tg_op = 'INSERT' or t."tagWeight" > 1 or t."skillIds" <> '{}')
    and (t."tagWeight", t."skillIds") is distinct from (n."tagWeight", n."skillIds");
  return null;
end $$;
comment on function refresh_needs_by_tag() is 'Records what a ticket needs when a tag is added or removed.';

create function refresh_needs_by_contact() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update tickets t set "languageSkillId" = n."languageSkillId"
  from tickets b cross join lateral routing_needs(b."companyId", b.id, b."contactId", b."chosenOptionId") n
  where t."companyId" = new."companyId" and t."contactId" = new.id and t."routableSince" is not null
    and b."companyId" = t."companyId" and b.id = t.id and t."languageSkillId" is distinct from n."languageSkillId";
  return null;
end $$;
comment on function refresh_needs_by_contact() is 'Records what waiting tickets need when the language of their customer changes.';

create function request_routing_of_needs() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- A lighter ticket leaves its agent free places.
  insert into "routingRequests" ("companyId", "queueId")
  select q."companyId", q.id from queues q
  where q."companyId" = new."companyId" and q.routing <> 'manual' and (
    (new."routableSince" is not null and q.id = new."queueId")
    or (new.status = 'open' and q.id in (
      select m."queueId" from "userQueues" m where m."companyId" = new."companyId" and m."userId" = new."userId")));
  if found then perform pg_notify('recado', 'routing'); end if;
  return null;
end $$;
comment on function request_routing_of_needs() is 'Requests a look at a queue in which a ticket needs something else of an agent now.';

-- Counts of tickets say how heavy they are.
alter table "ticketTallies" add "tagWeight" smallint not null default 1;
create or replace function add_up_ticket_tallies(company int) returns void language sql security definer set search_path = public, pg_temp as $$
  with taken as (
    delete from "ticketTallies" where "companyId" = company and id = any(array(
      select id from "ticketTallies" where "companyId" = company for update skip locked))
    returning status, "userId", "queueId", "laneId", unread, snoozed, "tagWeight", n
  )
  insert into "ticketTallies" ("companyId", status, "userId", "queueId", "laneId", unread, snoozed, "tagWeight", n)
  select company, status, "userId", "queueId", "laneId", unread, snoozed, "tagWeight", sum(n) from taken
  group by status, "userId", "queueId", "laneId", unread, snoozed, "tagWeight" having sum(n) <> 0
$$;
create or replace function tally_tickets() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "ticketTallies" ("companyId", status, "userId", "queueId", "laneId", unread, snoozed, "tagWeight", n)
  select c.id, x.status, x."userId", x."queueId", x."laneId", x."unreadMessages" > 0, x."snoozedAt" is not null, x."tagWeight",
    case tg_op when 'INSERT' then count(*) else -count(*) end
  from changed x join companies c on c.id = x."companyId" where x.status in ('open', 'pending') group by 1, 2, 3, 4, 5, 6, 7, 8;
  if random() < 0.02 then perform add_up_ticket_tallies(id) from (select distinct "companyId" as id from changed) x; end if;
  return null;
end $$;
create or replace function tally_ticket() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "ticketTallies" ("companyId", status, "userId", "queueId", "laneId", unread, snoozed, "tagWeight", n)
  select c.id, x.status, x."userId", x."queueId", x."laneId", x.unread, x.snoozed, x."tagWeight", x.n
  from companies c cross join (values
    (old.status, old."userId", old."queueId", old."laneId", old."unreadMessages" > 0, old."snoozedAt" is not null, old."tagWeight", -1),
    (new.status, new."userId", new."queueId", new."laneId", new."unreadMessages" > 0, new."snoozedAt" is not null, new."tagWeight", 1)
  ) x (status, "userId", "queueId", "laneId", unread, snoozed, "tagWeight", n)
  where c.id = new."companyId" and x.status in ('open', 'pending');
  if random() < 0.02 then perform add_up_ticket_tallies(new."companyId"); end if;
  return null;
end $$;
create or replace trigger tally after update on tickets for each row
  when ((old.status, old."userId", old."queueId", old."laneId", old."unreadMessages" > 0, old."snoozedAt" is not null, old."tagWeight")
    is distinct from (new.status, new."userId", new."queueId", new."laneId", new."unreadMessages" > 0, new."snoozedAt" is not null, new."tagWeight"))
  execute function tally_ticket();

grant create on schema public to recado_platform;
alter function remove_deleted_skill owner to recado_platform;
alter function set_routing_needs owner to recado_platform;
alter function refresh_needs_by_tag owner to recado_platform;
alter function refresh_needs_by_contact owner to recado_platform;
alter function request_routing_of_needs owner to recado_platform;
revoke create on schema public from recado_platform;

create trigger skills_removed after delete on skills for each row execute function remove_deleted_skill();
-- Triggers fire in the order of their names: this one after those that set "routableSince".
create trigger tickets_routing_needs before insert
  or update of status, "queueId", "userId", chatbot, "useIntegration", "promptId", "snoozedAt", "chosenOptionId", "contactId" on tickets
  for each row execute function set_routing_needs();
create trigger "ticketTags_needs" after insert or delete on "ticketTags" for each row execute function refresh_needs_by_tag();
create trigger contacts_needs after update of language on contacts
  for each row when (old.language is distinct from new.language) execute function refresh_needs_by_contact();
create trigger tickets_request_routing_of_needs after update of "tagWeight", "skillIds", "languageSkillId" on tickets
  for each row when ((old."tagWeight", old."skillIds", old."languageSkillId")
    is distinct from (new."tagWeight", new."skillIds", new."languageSkillId") and new.status <> 'closed')
  execute function request_routing_of_needs();
create or replace trigger queues_request_routing
  after update of routing, capacity, weight, "skillIds", "asksLanguage", "skillTimeoutMinutes" on queues
  for each row when (new.routing <> 'manual' and
    (old.routing, old.capacity, old.weight, old."skillIds", old."asksLanguage", old."skillTimeoutMinutes")
      is distinct from (new.routing, new.capacity, new.weight, new."skillIds", new."asksLanguage", new."skillTimeoutMinutes"))
  execute function request_routing_of_queue();

-- A look at a queue that is due later: when a waiting ticket gives up the skills that nobody has.
alter table "routingRequests" add "notBefore" timestamptz;
