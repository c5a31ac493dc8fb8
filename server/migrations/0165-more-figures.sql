-- More of what the dashboard counts (docs/figures.md): time within the opening hours alone, answers after the first one,
-- what was resolved at first contact, how the bots did, tags, and who was there when.

-- ---- opening hours: the twin of contract/hours/opening.ts, held equal by a test

-- So many seconds of a time in which somebody was there, by the calendar that counts for the queue today.
create function open_seconds(company int, queue int, since timestamptz, until timestamptz) returns int language plpgsql stable as $$
declare
  whose text := coalesce((select value from settings where "companyId" = company and key = 'scheduleType'), 'disabled');
  zone text;
  week jsonb;
  days jsonb;
  seconds numeric;
begin
  if since is null or until is null or until <= since then return 0; end if;
  if whose = 'company' then
    select schedules, holidays into week, days from companies where id = company;
  elsif whose = 'queue' and queue is not null then
    select q.schedules, c.holidays into week, days from queues q join companies c on c.id = q."companyId"
    where q."companyId" = company and q.id = queue;
  end if;
  -- Nobody wrote down any hours: then nothing is ever closed.
  if week is null or not exists (
    select from jsonb_to_recordset(week) h ("startTime" text, "endTime" text) where h."startTime" <> '' and h."endTime" <> ''
  ) then return round(extract(epoch from until - since)); end if;
  zone := coalesce((select value from settings where "companyId" = company and key = 'timezone'), 'America/Sao_Paulo');
  -- Nobody waits for years: what is longer is counted from its end.
  since := greatest(since, until - interval '400 days');
  select sum(extract(epoch from upper(o) - lower(o))) into seconds
  from unnest((
    select range_agg(tstzrange(begins at time zone zone, ends at time zone zone))
    from (
      -- A night belongs to the day it begins on; the last minute of the day means until midnight.
      select d + h."startTime"::time as begins,
        case when h."endTime"::time = '23:59' then d + interval '1 day'
          when h."endTime"::time < h."startTime"::time then d + interval '1 day' + h."endTime"::time
          else d + h."endTime"::time end as ends
      from generate_series(date_trunc('day', since at time zone zone) - interval '1 day', until at time zone zone, interval '1 day') d
      join jsonb_to_recordset(week) h ("weekdayEn" text, "startTime" text, "endTime" text)
        on h."weekdayEn" = (array['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'])[extract(isodow from d)]
        and h."startTime" ~ '^\d\d?:\d\d' and h."endTime" ~ '^\d\d?:\d\d' and (h."startTime" <> h."endTime" or h."endTime" = '23:59')
      where not exists (
        select from jsonb_to_recordset(coalesce(days, '[]')) f (day text, yearly boolean)
        where case when f.yearly then right(f.day, 5) = to_char(d, 'MM-DD') else f.day = to_char(d, 'YYYY-MM-DD') end)
    ) x where begins at time zone zone < ends at time zone zone
  ) * tstzmultirange(tstzrange(since, until))) o;
  return coalesce(round(seconds), 0);
end $$;

-- ---- what a leg knows besides its times

alter table "ticketTracking"
  -- Seconds of its wait, its first answer and its talk within the opening hours as they were then; null of legs from
  -- before it was kept, which count whole.
  add "openWait" int,
  add "openAnswer" int,
  add "openTalk" int,
  -- One person alone attended the conversation, from its beginning until this end of it.
  add once boolean not null default false,
  -- When the same customer came again, within a week.
  add "againAt" timestamptz,
  -- Whether it was the bot that ended it; null where that was not kept.
  add "botEnded" boolean;
create index "ticketTracking_bot" on "ticketTracking" ("companyId", "chatbotAt") where "chatbotAt" is not null;

create function know_leg() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  is_new boolean := tg_op = 'INSERT';
begin
  -- What was moved in knows it already.
  if new."startedAt" is not null and (is_new and new."openWait" is null or not is_new and (new."queuedAt", new."startedAt") is distinct from (old."queuedAt", old."startedAt")) then
    new."openWait" := open_seconds(new."companyId", new."queueId", new."queuedAt", new."startedAt");
  end if;
  if new."answeredAt" is not null and (is_new and new."openAnswer" is null or not is_new and (new."queuedAt", new."answeredAt") is distinct from (old."queuedAt", old."answeredAt")) then
    new."openAnswer" := open_seconds(new."companyId", new."queueId", new."queuedAt", new."answeredAt");
  end if;
  if new."finishedAt" is not null and (is_new and new."openTalk" is null or not is_new and (new."startedAt", new."finishedAt") is distinct from (old."startedAt", old."finishedAt")) then
    new."openTalk" := open_seconds(new."companyId", new."queueId", new."startedAt", new."finishedAt");
    new.once := new."endedBy" = 'resolved' and new."startedAt" is not null and case
      when new.began is not null then new.began = 'new'
      else not exists (
        select from "ticketTracking" k where k."companyId" = new."companyId" and k."ticketId" = new."ticketId" and k.id < new.id
          and (k."startedAt" is not null or k.began = 'again')
          and k.id >= coalesce((
            select max(b.id) from "ticketTracking" b
            where b."companyId" = new."companyId" and b."ticketId" = new."ticketId" and b.id < new.id and b.began is not null), 0))
      end;
  end if;
  return new;
end $$;
-- Who comes again within a week was not helped at first contact.
create function come_again() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update "ticketTracking" set "againAt" = new."createdAt" where id = (
    select k.id from tickets t
    join tickets o on o."companyId" = t."companyId" and o."contactId" = t."contactId"
    join "ticketTracking" k on k."companyId" = o."companyId" and k."ticketId" = o.id
    where t."companyId" = new."companyId" and t.id = new."ticketId" and k.id <> new.id and k."endedBy" = 'resolved'
      and k."finishedAt" between new."createdAt" - interval '7 days' and new."createdAt"
    order by k."finishedAt" desc, k.id desc limit 1) and once and "againAt" is null;
  return null;
end $$;

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
  select k."startedAt", k."queueId", k."userId", k."whatsappId", 'openWait', coalesce(k."openWait", round(extract(epoch from k."startedAt" - k."queuedAt"))::int)
  where k."startedAt" > k."queuedAt" and k."chatbotAt" is null
  union all
  select k."answeredAt", k."queueId", k."userId", k."whatsappId", 'answer', round(extract(epoch from k."answeredAt" - k."queuedAt"))::int
  where k."answeredAt" >= k."startedAt" and k."startedAt" > k."queuedAt" and k."chatbotAt" is null
  union all
  select k."answeredAt", k."queueId", k."userId", k."whatsappId", 'openAnswer', coalesce(k."openAnswer", round(extract(epoch from k."answeredAt" - k."queuedAt"))::int)
  where k."answeredAt" >= k."startedAt" and k."startedAt" > k."queuedAt" and k."chatbotAt" is null
  union all
  select k."finishedAt", k."queueId", k."userId", k."whatsappId", 'talk', round(extract(epoch from k."finishedAt" - k."startedAt"))::int
  where k."finishedAt" >= k."startedAt"
  union all
  select k."finishedAt", k."queueId", k."userId", k."whatsappId", 'openTalk', coalesce(k."openTalk", round(extract(epoch from k."finishedAt" - k."startedAt"))::int)
  where k."finishedAt" >= k."startedAt"
  union all
  select k."finishedAt", k."queueId", k."userId", k."whatsappId", k."endedBy", 0 where k."endedBy" in ('resolved', 'transferred', 'returned')
  union all
  select k."finishedAt", k."queueId", k."userId", k."whatsappId", 'once', 0
  where k.once and k."endedBy" = 'resolved' and k."startedAt" is not null and k."againAt" is null
  union all
  select k."chatbotAt", k."queueId", null::int, k."whatsappId", 'botHad', 0 where k."chatbotAt" is not null
  union all
  -- Led on, or taken by a person who did not wait for it.
  select coalesce(k."startedAt", k."finishedAt"), k."queueId", null::int, k."whatsappId", 'botPassed', 0
  where k."chatbotAt" is not null and (k."startedAt" is not null or k."endedBy" in ('bot', 'transferred', 'returned'))
  union all
  -- The bot ended what it began, or it was closed because the customer was gone.
  select k."finishedAt", k."queueId", null::int, k."whatsappId", 'alone', 0
  where k."endedBy" = 'resolved' and k."chatbotAt" is not null and k."startedAt" is null and k."userId" is null and k."botEnded" is distinct from false
  union all
  select k."finishedAt", k."queueId", null::int, k."whatsappId", 'botLeft', 0
  where k."endedBy" = 'resolved' and k."chatbotAt" is not null and k."startedAt" is null and (k."botEnded" = false or k."userId" is not null)
$$;
create trigger know before insert or update on "ticketTracking" for each row execute function know_leg();
create trigger come_again after insert on "ticketTracking" for each row when (new.began is not null) execute function come_again();

-- ---- answers after the first one

create table "nextAnswers" (
  id int generated always as identity primary key,
  "companyId" int not null references companies (id) on delete cascade,
  "ticketId" int not null,
  "queueId" int,
  "userId" int,
  "whatsappId" int,
  -- Since when the customer waited for it.
  "askedAt" timestamptz not null,
  at timestamptz not null,
  "openSeconds" int,
  unique ("companyId", id),
  foreign key ("companyId", "ticketId") references tickets ("companyId", id) on delete cascade,
  foreign key ("companyId", "queueId") references queues ("companyId", id) on delete set null ("queueId"),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete set null ("userId"),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete set null ("whatsappId")
);
create index "nextAnswers_at" on "nextAnswers" ("companyId", at);
create index "nextAnswers_ticket" on "nextAnswers" ("companyId", "ticketId");
create index "nextAnswers_queue" on "nextAnswers" ("companyId", "queueId");
create index "nextAnswers_user" on "nextAnswers" ("companyId", "userId", at);
create index "nextAnswers_whatsapp" on "nextAnswers" ("companyId", "whatsappId");
select tenant_table('"nextAnswers"');

create function know_answer() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new."openSeconds" := coalesce(new."openSeconds", open_seconds(new."companyId", new."queueId", new."askedAt", new.at));
  return new;
end $$;
create trigger know before insert on "nextAnswers" for each row execute function know_answer();
-- PostgreSQL 18 cannot plan an inlined union whose parts have no condition.
create function answer_facts(a "nextAnswers") returns setof fact language sql immutable parallel safe as $$
  select a.at, a."queueId", a."userId", a."whatsappId", 'next', round(extract(epoch from a.at - a."askedAt"))::int
  where a.at >= a."askedAt"
  union all
  select a.at, a."queueId", a."userId", a."whatsappId", 'openNext', coalesce(a."openSeconds", round(extract(epoch from a.at - a."askedAt"))::int)
  where a.at >= a."askedAt"
$$;

-- ---- answers to a menu: right ones, wrong ones, and where customers were when they were heard of no more

create table "menuSteps" (
  id int generated always as identity primary key,
  "companyId" int not null references companies (id) on delete cascade,
  "ticketId" int not null,
  "whatsappId" int,
  -- Where they stood: in the main menu without a queue, at its top without an option.
  "queueId" int,
  "optionId" int,
  kind text not null check (kind in ('right', 'wrong', 'left')),
  -- The first right one since the bot began.
  first boolean not null default false,
  at timestamptz not null,
  unique ("companyId", id),
  foreign key ("companyId", "ticketId") references tickets ("companyId", id) on delete cascade,
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete set null ("whatsappId"),
  foreign key ("companyId", "queueId") references queues ("companyId", id) on delete set null ("queueId"),
  foreign key ("companyId", "optionId") references "queueOptions" ("companyId", id) on delete set null ("optionId")
);
create index "menuSteps_at" on "menuSteps" ("companyId", at);
create index "menuSteps_ticket" on "menuSteps" ("companyId", "ticketId");
create index "menuSteps_whatsapp" on "menuSteps" ("companyId", "whatsappId");
create index "menuSteps_queue" on "menuSteps" ("companyId", "queueId");
create index "menuSteps_option" on "menuSteps" ("companyId", "optionId");
select tenant_table('"menuSteps"');

create function menu_facts(m "menuSteps") returns setof fact language sql immutable parallel safe as $$
  select m.at, m."queueId", null::int, m."whatsappId", case m.kind when 'right' then 'menuRight' when 'wrong' then 'menuWrong' else 'menuLeft' end,
    coalesce(m."optionId", 0)
  where m.kind in ('right', 'wrong', 'left')
  union all
  select m.at, m."queueId", null::int, m."whatsappId", 'menuFirst', 0 where m.first
$$;

-- ---- the tags that a ticket wears, for each time it came and was resolved

create function tag_facts(k "ticketTracking", tag int) returns setof fact language sql immutable parallel safe as $$
  select k."createdAt", k."queueId", null::int, k."whatsappId", 'tagCame', tag where k.began is not null
  union all
  select k."finishedAt", k."queueId", k."userId", k."whatsappId", 'tagResolved', tag where k."endedBy" = 'resolved'
$$;

-- ---- news of all of them

create function leave_answer_news() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "figureNews" ("companyId", at, "queueId", "userId", "whatsappId", kind, value, n)
  select c.id, f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value, sum(f.n)
  from (
    select *, 1 as n from answer_facts(new) where tg_op <> 'DELETE'
    union all
    select *, -1 from answer_facts(old) where tg_op <> 'INSERT'
  ) f
  join companies c on c.id = case tg_op when 'DELETE' then old."companyId" else new."companyId" end
  group by c.id, f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value having sum(f.n) <> 0;
  return null;
end $$;
create function leave_menu_news() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "figureNews" ("companyId", at, "queueId", "userId", "whatsappId", kind, value, n)
  select c.id, f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value, sum(f.n)
  from (
    select *, 1 as n from menu_facts(new) where tg_op <> 'DELETE'
    union all
    select *, -1 from menu_facts(old) where tg_op <> 'INSERT'
  ) f
  join companies c on c.id = case tg_op when 'DELETE' then old."companyId" else new."companyId" end
  group by c.id, f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value having sum(f.n) <> 0;
  return null;
end $$;
-- A leg times its tags. What goes is counted before it is gone: when a ticket takes both along, whichever goes first
-- still finds the other, and the second finds nothing.
create function leave_tagged_leg_news() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  leg "ticketTracking" := case tg_op when 'DELETE' then old else new end;
begin
  insert into "figureNews" ("companyId", at, "queueId", "userId", "whatsappId", kind, value, n)
  select c.id, f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value, sum(f.n)
  from "ticketTags" g
  cross join lateral (
    select *, 1 as n from tag_facts(new, g."tagId") where tg_op <> 'DELETE'
    union all
    select *, -1 from tag_facts(old, g."tagId") where tg_op <> 'INSERT'
  ) f
  join companies c on c.id = leg."companyId"
  where g."companyId" = leg."companyId" and g."ticketId" = leg."ticketId"
  group by c.id, f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value having sum(f.n) <> 0;
  return leg;
end $$;
create function leave_tag_news() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  worn "ticketTags" := case tg_op when 'DELETE' then old else new end;
begin
  insert into "figureNews" ("companyId", at, "queueId", "userId", "whatsappId", kind, value, n)
  select c.id, f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value, case tg_op when 'DELETE' then -1 else 1 end
  from "ticketTracking" k cross join lateral tag_facts(k, worn."tagId") f
  join companies c on c.id = k."companyId"
  where k."companyId" = worn."companyId" and k."ticketId" = worn."ticketId";
  return worn;
end $$;

-- ---- who was there

create table "userOnline" (
  id int generated always as identity primary key,
  "companyId" int not null references companies (id) on delete cascade,
  "userId" int not null,
  since timestamptz not null,
  until timestamptz,
  unique ("companyId", id),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete cascade
);
create unique index "userOnline_now" on "userOnline" ("companyId", "userId") where until is null;
create index "userOnline_user" on "userOnline" ("companyId", "userId");
create index "userOnline_until" on "userOnline" ("companyId", until);
select tenant_table('"userOnline"');
-- `lastSeenAt` is when they came, and when they were last heard of: a process that died could not say goodbye.
create function note_presence() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update "userOnline" set until = greatest(since, coalesce(new."lastSeenAt", since))
  where "companyId" = new."companyId" and "userId" = new.id and until is null;
  if new.online then
    insert into "userOnline" ("companyId", "userId", since) values (new."companyId", new.id, coalesce(new."lastSeenAt", now()));
  end if;
  return null;
end $$;

-- ---- when a line was connected

create table "lineUp" (
  id int generated always as identity primary key,
  "companyId" int not null references companies (id) on delete cascade,
  "whatsappId" int not null,
  since timestamptz not null,
  until timestamptz,
  unique ("companyId", id),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete cascade
);
create unique index "lineUp_now" on "lineUp" ("companyId", "whatsappId") where until is null;
create index "lineUp_whatsapp" on "lineUp" ("companyId", "whatsappId", until);
select tenant_table('"lineUp"');
create function note_line() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update "lineUp" set until = greatest(since, new."updatedAt")
  where "companyId" = new."companyId" and "whatsappId" = new.id and until is null;
  if new.status = 'CONNECTED' then
    insert into "lineUp" ("companyId", "whatsappId", since) values (new."companyId", new.id, new."updatedAt");
  end if;
  return null;
end $$;
set local role recado_platform;
insert into "lineUp" ("companyId", "whatsappId", since) select "companyId", id, "updatedAt" from whatsapps where status = 'CONNECTED';
reset role;

grant create on schema public to recado_platform;
alter function note_line owner to recado_platform;
alter function know_leg owner to recado_platform;
alter function come_again owner to recado_platform;
alter function know_answer owner to recado_platform;
alter function leave_answer_news owner to recado_platform;
alter function leave_menu_news owner to recado_platform;
alter function leave_tagged_leg_news owner to recado_platform;
alter function leave_tag_news owner to recado_platform;
alter function note_presence owner to recado_platform;
revoke create on schema public from recado_platform;
create trigger leave_news after insert or update or delete on "nextAnswers" for each row execute function leave_answer_news();
create trigger leave_news after insert or update or delete on "menuSteps" for each row execute function leave_menu_news();
create trigger leave_tagged_news after insert or update on "ticketTracking" for each row execute function leave_tagged_leg_news();
create trigger leave_tagged_news_gone before delete on "ticketTracking" for each row execute function leave_tagged_leg_news();
create trigger leave_news after insert on "ticketTags" for each row execute function leave_tag_news();
create trigger leave_news_gone before delete on "ticketTags" for each row execute function leave_tag_news();
create trigger note_line after update of status on whatsapps for each row
  when ((old.status = 'CONNECTED') <> (new.status = 'CONNECTED')) execute function note_line();
create trigger note_presence after update of online on users for each row when (old.online <> new.online) execute function note_presence();

-- ---- sums

alter table figures
  add once int not null default 0,
  add nexts int not null default 0,
  add "nextSeconds" bigint not null default 0,
  add "openWaitSeconds" bigint not null default 0,
  add "openAnswerSeconds" bigint not null default 0,
  add "openTalkSeconds" bigint not null default 0,
  add "openNextSeconds" bigint not null default 0;
-- Lengths within the opening hours too; and how many rated how, each rate being a step of its own.
alter table "figureSpread" drop constraint "figureSpread_kind_check";
alter table "figureSpread" add constraint "figureSpread_kind_check"
  check (kind in ('wait', 'talk', 'answer', 'next', 'openWait', 'openTalk', 'openAnswer', 'openNext', 'rate'));
-- What is counted of each part of something: an option of a menu, a tag; 0 where it has none.
create table "figureParts" (
  "companyId" int not null references companies (id) on delete cascade,
  kind text not null,
  day date not null,
  "partId" int not null,
  "queueId" int not null,
  "whatsappId" int not null,
  n int not null,
  primary key ("companyId", kind, day, "partId", "queueId", "whatsappId")
);
select tenant_table('"figureParts"');
-- All sums are made anew by the next run, with these in them.
set local role recado_platform;
delete from "figureZones";
reset role;
