-- What the dashboard shows (docs/figures.md). A leg says whether a conversation began with it, and a rating where it was
-- given, so that every figure can be read from legs and ratings alone.
alter table "ticketTracking" add began text check (began in ('new', 'again'));
alter table "userRatings"
  add "queueId" int,
  add "whatsappId" int,
  add foreign key ("companyId", "queueId") references queues ("companyId", id) on delete set null ("queueId"),
  add foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete set null ("whatsappId");
-- As the owner of all rows: who owns the tables need not see them.
set local role recado_platform;
update "ticketTracking" k set began = b.began
from (
  select id, case lag("endedBy") over w when 'resolved' then 'again' else case when lag(id) over w is null then 'new' end end as began
  from "ticketTracking" window w as (partition by "companyId", "ticketId" order by id)
) b
where b.id = k.id and b.began is not null;
update "userRatings" r set "queueId" = t."queueId", "whatsappId" = t."whatsappId"
from tickets t where t."companyId" = r."companyId" and t.id = r."ticketId";
reset role;
create index "ticketTracking_began" on "ticketTracking" ("companyId", "createdAt") where began is not null;
create index "ticketTracking_started" on "ticketTracking" ("companyId", "startedAt") where "startedAt" is not null;
create index "userRatings_created" on "userRatings" ("companyId", "createdAt");
create index "userRatings_queue" on "userRatings" ("companyId", "queueId");
create index "userRatings_whatsapp" on "userRatings" ("companyId", "whatsappId");

-- ---- facts: each thing that is counted, when, where and whose it was. `value` is in seconds, or the rate.

create type fact as (at timestamptz, "queueId" int, "userId" int, "whatsappId" int, kind text, value int);

create function leg_facts(k "ticketTracking") returns setof fact language sql immutable parallel safe as $$
  -- When it comes it is nobody's yet.
  select k."createdAt", k."queueId", null::int, k."whatsappId", 'came', 0 where k.began is not null
  union all
  select k."createdAt", k."queueId", null::int, k."whatsappId", 'again', 0 where k.began = 'again'
  union all
  -- While a bot has it nobody is waited for, and who is given a ticket at once was not waited for either.
  select k."startedAt", k."queueId", k."userId", k."whatsappId", 'wait', round(extract(epoch from k."startedAt" - k."queuedAt"))::int
  where k."startedAt" > k."queuedAt" and k."chatbotAt" is null
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
create function rating_facts(r "userRatings") returns setof fact language sql immutable parallel safe as $$
  select r."createdAt", r."queueId", r."userId", r."whatsappId", 'rate', r.rate::int
$$;

-- ---- news: what changed since the sums were last made. Nobody waits for anybody to leave some.

create table "figureNews" (
  id bigint generated always as identity primary key,
  "companyId" int not null references companies (id) on delete cascade,
  at timestamptz not null,
  "queueId" int,
  "userId" int,
  "whatsappId" int,
  kind text not null,
  value int not null,
  -- Less than nothing where something is not so any more.
  n int not null
);
create index "figureNews_company" on "figureNews" ("companyId");
select tenant_table('"figureNews"');

create function leave_leg_news() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "figureNews" ("companyId", at, "queueId", "userId", "whatsappId", kind, value, n)
  select c.id, f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value, sum(f.n)
  from (
    select *, 1 as n from leg_facts(new) where tg_op <> 'DELETE'
    union all
    select *, -1 from leg_facts(old) where tg_op <> 'INSERT'
  ) f
  -- Where the company itself goes, so do its figures.
  join companies c on c.id = case tg_op when 'DELETE' then old."companyId" else new."companyId" end
  group by c.id, f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value having sum(f.n) <> 0;
  return null;
end $$;
create function leave_rating_news() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "figureNews" ("companyId", at, "queueId", "userId", "whatsappId", kind, value, n)
  select c.id, f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value, sum(f.n)
  from (
    select *, 1 as n from rating_facts(new) where tg_op <> 'DELETE'
    union all
    select *, -1 from rating_facts(old) where tg_op <> 'INSERT'
  ) f
  join companies c on c.id = case tg_op when 'DELETE' then old."companyId" else new."companyId" end
  group by c.id, f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value having sum(f.n) <> 0;
  return null;
end $$;
grant create on schema public to recado_platform;
alter function leave_leg_news owner to recado_platform;
alter function leave_rating_news owner to recado_platform;
revoke create on schema public from recado_platform;
create trigger leave_news after insert or update or delete on "ticketTracking" for each row execute function leave_leg_news();
create trigger leave_news after insert or update or delete on "userRatings" for each row execute function leave_rating_news();

-- ---- sums, by the company's own calendar: `hour` is -1 for a whole day. Ids are 0 for none; of an hour it is not kept
-- whose it was, "userId" is -1 there. Made from all facts when the zone in "figureZones" is not the company's.

create table "figureZones" (
  "companyId" int primary key references companies (id) on delete cascade,
  zone text not null
);
select tenant_table('"figureZones"');

create table figures (
  "companyId" int not null references companies (id) on delete cascade,
  hour smallint not null,
  day date not null,
  "queueId" int not null,
  "userId" int not null,
  "whatsappId" int not null,
  came int not null,
  again int not null,
  resolved int not null,
  alone int not null,
  transferred int not null,
  returned int not null,
  waits int not null,
  "waitSeconds" bigint not null,
  talks int not null,
  "talkSeconds" bigint not null,
  rated int not null,
  "rateSum" int not null,
  primary key ("companyId", hour, day, "queueId", "userId", "whatsappId")
);
select tenant_table('figures');

-- How long waits and talks took: so many of about that length, for all, each queue, each person and each line of a day.
-- A step is a fifth longer than the one before, and the seconds themselves are kept, so that a step knows its average.
create table "figureSpread" (
  "companyId" int not null references companies (id) on delete cascade,
  side text not null check (side in ('all', 'queue', 'user', 'line')),
  kind text not null check (kind in ('wait', 'talk')),
  day date not null,
  "sideId" int not null,
  step smallint not null,
  n int not null,
  seconds bigint not null,
  primary key ("companyId", side, kind, day, "sideId", step)
);
select tenant_table('"figureSpread"');

create function step_of(seconds int) returns smallint language sql immutable parallel safe as $$
  select case when seconds < 1 then 0 else 1 + floor(ln(seconds) / ln(1.2)) end::smallint
$$;
