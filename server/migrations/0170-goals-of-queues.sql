-- What a queue promises (docs/figures.md, goals): within so many minutes of its opening hours a person answers, and the
-- matter is resolved. Null: it promises nothing.
alter table queues
  add "answerGoal" int check ("answerGoal" > 0),
  add "resolveGoal" int check ("resolveGoal" > 0);

-- One row for each promise to one conversation in one queue: it runs until it is ended, and is late from its due moment
-- on. `nextAt` is when the clock alone has something to do: first to warn, then to note that it is late.
create table "ticketGoals" (
  id int generated always as identity primary key,
  "companyId" int not null references companies (id) on delete cascade,
  "ticketId" int not null,
  "queueId" int,
  "whatsappId" int,
  -- Whose it was when it was kept, or became late.
  "userId" int,
  kind text not null check (kind in ('answer', 'resolve')),
  minutes int not null,
  since timestamptz not null,
  "warnAt" timestamptz not null,
  "dueAt" timestamptz not null,
  "nextAt" timestamptz,
  "lateAt" timestamptz,
  "endedAt" timestamptz,
  unique ("companyId", id),
  foreign key ("companyId", "ticketId") references tickets ("companyId", id) on delete cascade,
  foreign key ("companyId", "queueId") references queues ("companyId", id) on delete set null ("queueId"),
  foreign key ("companyId", "whatsappId") references whatsapps ("companyId", id) on delete set null ("whatsappId"),
  foreign key ("companyId", "userId") references users ("companyId", id) on delete set null ("userId")
);
create index "ticketGoals_ticket" on "ticketGoals" ("companyId", "ticketId");
create index "ticketGoals_queue" on "ticketGoals" ("companyId", "queueId");
create index "ticketGoals_whatsapp" on "ticketGoals" ("companyId", "whatsappId");
create index "ticketGoals_user" on "ticketGoals" ("companyId", "userId");
create index "ticketGoals_next" on "ticketGoals" ("nextAt") where "nextAt" is not null;
create index "ticketGoals_living" on "ticketGoals" ("companyId", "queueId") where "endedAt" is null;
create index "ticketGoals_ended" on "ticketGoals" ("companyId", "endedAt") where "endedAt" is not null;
create index "ticketGoals_late" on "ticketGoals" ("companyId", "lateAt") where "lateAt" is not null;
select tenant_table('"ticketGoals"');

-- ---- facts and sums, as of legs and ratings (migration 0150)

create function goal_facts(g "ticketGoals") returns setof fact language sql immutable parallel safe as $$
  select g."endedAt", g."queueId", g."userId", g."whatsappId", g.kind || 'Kept', 0 where g."endedAt" is not null and g."lateAt" is null
  union all
  select g."lateAt", g."queueId", g."userId", g."whatsappId", g.kind || 'Late', 0 where g."lateAt" is not null
$$;
create function leave_goal_news() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "figureNews" ("companyId", at, "queueId", "userId", "whatsappId", kind, value, n)
  select c.id, f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value, sum(f.n)
  from (
    select *, 1 as n from goal_facts(new) where tg_op <> 'DELETE'
    union all
    select *, -1 from goal_facts(old) where tg_op <> 'INSERT'
  ) f
  join companies c on c.id = case tg_op when 'DELETE' then old."companyId" else new."companyId" end
  group by c.id, f.at, f."queueId", f."userId", f."whatsappId", f.kind, f.value having sum(f.n) <> 0;
  return null;
end $$;
grant create on schema public to recado_platform;
alter function leave_goal_news owner to recado_platform;
revoke create on schema public from recado_platform;
create trigger leave_news after insert or update or delete on "ticketGoals" for each row execute function leave_goal_news();

alter table figures
  add "answerKept" int not null default 0,
  add "answerLate" int not null default 0,
  add "resolveKept" int not null default 0,
  add "resolveLate" int not null default 0;

-- Who has it is warned before it is late.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check
  check (kind in ('assigned', 'queued', 'mention', 'held', 'resting', 'hook-rests', 'hook-off', 'hook-gave-up', 'goal'));
