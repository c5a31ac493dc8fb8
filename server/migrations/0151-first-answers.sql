-- When a person first said something on a leg: how long customers wait for an answer, not only for somebody to accept.
-- Legs from before it was kept have none.
alter table "ticketTracking" add "answeredAt" timestamptz;
create index "ticketTracking_answered" on "ticketTracking" ("companyId", "answeredAt") where "answeredAt" is not null;
alter table figures add answers int not null default 0, add "answerSeconds" bigint not null default 0;
alter table "figureSpread" drop constraint "figureSpread_kind_check";
alter table "figureSpread" add constraint "figureSpread_kind_check" check (kind in ('wait', 'talk', 'answer'));

create or replace function leg_facts(k "ticketTracking") returns setof fact language sql immutable parallel safe as $$
  -- When it comes it is nobody's yet.
  select k."createdAt", k."queueId", null::int, k."whatsappId", 'came', 0 where k.began is not null
  union all
  select k."createdAt", k."queueId", null::int, k."whatsappId", 'again', 0 where k.began = 'again'
  union all
  -- While a bot has it nobody is waited for, and who is given a ticket at once was not waited for either.
  select k."startedAt", k."queueId", k."userId", k."whatsappId", 'wait', round(extract(epoch from k."startedAt" - k."queuedAt"))::int
  where k."startedAt" > k."queuedAt" and k."chatbotAt" is null
  union all
  select k."answeredAt", k."queueId", k."userId", k."whatsappId", 'answer', round(extract(epoch from k."answeredAt" - k."queuedAt"))::int
  where k."answeredAt" >= k."startedAt" and k."startedAt" > k."queuedAt" and k."chatbotAt" is null
  union all
  select k."finishedAt", k."queueId", k."userId", k."whatsappId", 'talk', round(extract(epoch from k."finishedAt" - k."startedAt"))::int
  where k."finishedAt" >= k."startedAt"
  union all
  select k."finishedAt", k."queueId", k."userId", k."whatsappId", k."endedBy", 0 where k."endedBy" in ('resolved', 'transferred', 'returned')
  union all
  -- The bot ended what it began.
  select k."finishedAt", k."queueId", null::int, k."whatsappId", 'alone', 0
  where k."endedBy" = 'resolved' and k."chatbotAt" is not null and k."startedAt" is null and k."userId" is null
$$;
