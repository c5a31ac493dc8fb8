-- How long an agent has to accept a ticket that the queue offers. 0: tickets are assigned at once.
alter table queues
  add "offerSeconds" int not null default 0 check ("offerSeconds" = 0 or "offerSeconds" between 10 and 300);
-- How many offers in a row ran out without an answer.
alter table users add "missedOffers" int not null default 0;

-- A waiting ticket that is offered, or was offered since it began to wait. One row per ticket, so at most one open offer.
create table "ticketOffers" (
  "companyId" int not null,
  "ticketId" int not null,
  "queueId" int not null,
  -- Null: nobody has the offer now.
  "userId" int,
  "offeredAt" timestamptz not null,
  seconds int not null,
  -- When the offer runs out; without a user, when it starts over with everybody.
  "dueAt" timestamptz not null,
  -- The reason of the choice, for the ticket's history.
  why text not null,
  details jsonb not null default '{}',
  -- Who declined it or let it run out.
  "passedUserIds" int[] not null default '{}',
  primary key ("companyId", "ticketId"),
  foreign key ("companyId", "ticketId") references tickets ("companyId", id) on delete cascade,
  foreign key ("companyId", "queueId") references queues ("companyId", id) on delete cascade,
  foreign key ("companyId", "userId") references users ("companyId", id) on delete cascade
);
create index "ticketOffers_due" on "ticketOffers" ("dueAt");
create index "ticketOffers_user" on "ticketOffers" ("companyId", "userId") where "userId" is not null;
create index "ticketOffers_queue" on "ticketOffers" ("companyId", "queueId");
select tenant_table('"ticketOffers"');

create function end_offer_of_ticket() returns trigger language plpgsql as $$
begin
  delete from "ticketOffers" where "companyId" = old."companyId" and "ticketId" = old.id;
  return null;
end $$;
comment on function end_offer_of_ticket() is 'Ends the offer of a ticket that is accepted, closed, moved or snoozed, or attended by a bot.';
create trigger tickets_end_offer
  after update of status, "queueId", "userId", chatbot, "useIntegration", "promptId", "snoozedAt" on tickets
  for each row when (old."routableSince" is not null and new."routableSince" is distinct from old."routableSince")
  execute function end_offer_of_ticket();

create function end_offers_of_user() returns trigger language plpgsql as $$
begin
  update "ticketOffers" set "userId" = null where "companyId" = new."companyId" and "userId" = new.id;
  return null;
end $$;
comment on function end_offers_of_user() is 'Ends the offers to a user who is offline, on a break, away or off shift.';
create trigger users_end_offers after update of online, availability, active, "onShift" on users
  for each row when (old.active and old.online and old.availability = 'available' and old."onShift"
    and not (new.active and new.online and new.availability = 'available' and new."onShift"))
  execute function end_offers_of_user();

create function end_offers_of_member() returns trigger language plpgsql as $$
begin
  update "ticketOffers" set "userId" = null
  where "companyId" = old."companyId" and "userId" = old."userId" and "queueId" = old."queueId";
  return null;
end $$;
comment on function end_offers_of_member() is 'Ends the offers to a user who leaves the queue.';
create trigger "userQueues_end_offers" after delete on "userQueues"
  for each row execute function end_offers_of_member();

create function end_offers_of_queue() returns trigger language plpgsql as $$
begin
  delete from "ticketOffers" where "companyId" = new."companyId" and "queueId" = new.id;
  return null;
end $$;
comment on function end_offers_of_queue() is 'Ends the offers of a queue that does not offer tickets any more.';
create trigger queues_end_offers after update of routing, "offerSeconds" on queues
  for each row when ((old.routing <> 'manual' and new.routing = 'manual') or (old."offerSeconds" > 0 and new."offerSeconds" = 0))
  execute function end_offers_of_queue();

create function request_routing_of_offer() returns trigger language plpgsql as $$
declare
  ends boolean := tg_op <> 'INSERT' and (tg_op = 'DELETE' or new."userId" is distinct from old."userId");
  begins boolean := tg_op <> 'DELETE' and new."userId" is not null and (tg_op = 'INSERT' or new."userId" is distinct from old."userId");
begin
  if ends then
    insert into "routingRequests" ("companyId", "queueId")
    select q."companyId", q.id from queues q
    where q."companyId" = old."companyId" and q.routing <> 'manual' and (q.id = old."queueId" or q.id in (
      select u."queueId" from "userQueues" u where u."companyId" = old."companyId" and u."userId" = old."userId"));
    perform pg_notify('recado', 'routing');
    if old."userId" is not null then
      perform pg_notify('recado', 'offers ' || old."companyId" || ' ' || old."queueId" || ' ' || old."userId");
    end if;
  end if;
  if begins then
    perform pg_notify('recado', 'offers ' || new."companyId" || ' ' || new."queueId" || ' ' || new."userId");
  end if;
  return null;
end $$;
comment on function request_routing_of_offer() is 'Requests a look at the queues of an ended offer, and tells the processes whose offers changed.';
create trigger "ticketOffers_request_routing" after insert or delete or update of "userId" on "ticketOffers"
  for each row execute function request_routing_of_offer();
