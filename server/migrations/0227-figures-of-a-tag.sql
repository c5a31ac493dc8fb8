-- The figures of a tag, kept as all others are (docs/figures.md): until now its view read the legs of its tickets one by
-- one. A ticket wears several tags, and they change when its legs are long over: what changes is left here for each tag,
-- and goes into cells of the tag. Tables of their own: the release before reads all news it finds as everybody's.
create table "figureTagNews" (
  "companyId" int not null references companies (id) on delete cascade,
  id bigint generated always as identity,
  "tagId" int not null,
  -- Less than nothing where they are not so any more.
  n int not null,
  facts fact[] not null,
  primary key ("companyId", id),
  foreign key ("companyId", "tagId") references tags ("companyId", id) on delete cascade
);
create index "figureTagNews_tag" on "figureTagNews" ("companyId", "tagId");
select tenant_table('"figureTagNews"');

-- Of days the tag alone, with a queue, a person or a line (sides 0, 1, 2, 4), and all of them together (7), from which the
-- crossings of two are read; of months every side.
create table "figureTagCells" (
  "tagId" int not null,
  like "figureCells" including defaults including constraints,
  check (grain = 'month' or side in (0, 1, 2, 4, 7)),
  primary key ("companyId", "tagId", side, grain, "queueId", "userId", "whatsappId", day),
  foreign key ("companyId") references companies (id) on delete cascade,
  foreign key ("companyId", "tagId") references tags ("companyId", id) on delete cascade
);
select tenant_table('"figureTagCells"');

-- In whose zone the cells of a tag were made, one tag after the other. Without a row they are made anew. The release before
-- takes none of this news: what it does makes no tag's cells wrong.
create table "figureTagCalendars" (
  "companyId" int not null references companies (id) on delete cascade,
  "tagId" int not null,
  zone text not null,
  primary key ("companyId", "tagId"),
  foreign key ("companyId", "tagId") references tags ("companyId", id) on delete cascade
);
select tenant_table('"figureTagCalendars"');

-- What a row says, for each tag of its ticket. A leg says besides which tags there are.
create function facts_of_leg(k "ticketTracking") returns fact[] language sql stable as $$
  select array(
    select f from leg_facts(k) f
    union all
    select f from "ticketTags" w cross join lateral tag_facts(k, w."tagId") f where w."companyId" = k."companyId" and w."ticketId" = k."ticketId")
$$;
create function facts_of_rating(k "userRatings") returns fact[] language sql stable as 'select array(select f from rating_facts(k) f)';
create function facts_of_goal(k "ticketGoals") returns fact[] language sql stable as 'select array(select f from goal_facts(k) f)';
create function facts_of_answer(k "nextAnswers") returns fact[] language sql stable as 'select array(select f from answer_facts(k) f)';
create function facts_of_step(k "menuSteps") returns fact[] language sql stable as 'select array(select f from menu_facts(k) f)';

-- All that a ticket says to one of its tags.
create function facts_of_ticket(company int, ticket int) returns fact[] language sql stable as $$
  select array(
    select f from "ticketTracking" k cross join lateral unnest(facts_of_leg(k)) f where k."companyId" = company and k."ticketId" = ticket
    union all
    select f from "userRatings" k cross join lateral unnest(facts_of_rating(k)) f where k."companyId" = company and k."ticketId" = ticket
    union all
    select f from "ticketGoals" k cross join lateral unnest(facts_of_goal(k)) f where k."companyId" = company and k."ticketId" = ticket
    union all
    select f from "nextAnswers" k cross join lateral unnest(facts_of_answer(k)) f where k."companyId" = company and k."ticketId" = ticket
    union all
    select f from "menuSteps" k cross join lateral unnest(facts_of_step(k)) f where k."companyId" = company and k."ticketId" = ticket)
$$;
-- What a tag says to the others on its ticket.
create function facts_of_tag(company int, ticket int, tag int) returns fact[] language sql stable as $$
  select array(
    select f from "ticketTracking" k cross join lateral tag_facts(k, tag) f where k."companyId" = company and k."ticketId" = ticket)
$$;
create function leave_tag_worn_news() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "figureTagNews" ("companyId", "tagId", n, facts)
  select c.id, b."tagId", 1, facts_of_ticket(b."companyId", b."ticketId")
  from became b join companies c on c.id = b."companyId"
  union all
  select c.id, g."tagId", 1, facts_of_tag(b."companyId", b."ticketId", b."tagId")
  from became b join companies c on c.id = b."companyId"
  join "ticketTags" g on g."companyId" = b."companyId" and g."ticketId" = b."ticketId"
  where not exists (
    select from became o where o."companyId" = g."companyId" and o."ticketId" = g."ticketId" and o."tagId" = g."tagId");
  return null;
end $$;
-- Where the tag itself goes, its cells and its news do; the others on the ticket stay.
create function leave_tag_worn_news_of_gone() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into "figureTagNews" ("companyId", "tagId", n, facts)
  select c.id, old."tagId", -1, facts_of_ticket(old."companyId", old."ticketId")
  from companies c join tags t on t."companyId" = c.id and t.id = old."tagId" where c.id = old."companyId"
  union all
  select c.id, g."tagId", -1, facts_of_tag(old."companyId", old."ticketId", old."tagId")
  from companies c join "ticketTags" g on g."companyId" = c.id and g."ticketId" = old."ticketId" and g."tagId" <> old."tagId"
  join tags t on t."companyId" = c.id and t.id = g."tagId"
  where c.id = old."companyId";
  return old;
end $$;
grant create on schema public to recado_platform;
alter function leave_tag_worn_news owner to recado_platform;
alter function leave_tag_worn_news_of_gone owner to recado_platform;

do $do$
declare
  source text;
  kind text;
begin
  for source, kind in values ('ticketTracking', 'leg'), ('userRatings', 'rating'), ('ticketGoals', 'goal'), ('nextAnswers', 'answer'), ('menuSteps', 'step') loop
    -- Where the company itself goes, so do its figures.
    execute format($f$
      create function leave_worn_%1$s_news() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        if tg_op = 'UPDATE' then
          insert into "figureTagNews" ("companyId", "tagId", n, facts)
          select c.id, g."tagId", -1, facts_of_%1$s(k) from was k
          join companies c on c.id = k."companyId" join "ticketTags" g on g."companyId" = k."companyId" and g."ticketId" = k."ticketId";
        end if;
        insert into "figureTagNews" ("companyId", "tagId", n, facts)
        select c.id, g."tagId", 1, facts_of_%1$s(k) from became k
        join companies c on c.id = k."companyId" join "ticketTags" g on g."companyId" = k."companyId" and g."ticketId" = k."ticketId";
        return null;
      end $$;
      -- What goes is counted before it is gone: when a ticket takes all along, whichever goes first still finds the others.
      create function leave_worn_%1$s_news_of_gone() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
      begin
        insert into "figureTagNews" ("companyId", "tagId", n, facts)
        select c.id, g."tagId", -1, facts_of_%1$s(old)
        from companies c join "ticketTags" g on g."companyId" = c.id and g."ticketId" = old."ticketId" where c.id = old."companyId";
        return old;
      end $$;
      alter function leave_worn_%1$s_news owner to recado_platform;
      alter function leave_worn_%1$s_news_of_gone owner to recado_platform;
      create trigger leave_worn_news_of_new after insert on %2$I
        referencing new table as became for each statement execute function leave_worn_%1$s_news();
      create trigger leave_worn_news_of_changed after update on %2$I
        referencing old table as was new table as became for each statement execute function leave_worn_%1$s_news();
      create trigger leave_worn_news_of_gone before delete on %2$I for each row execute function leave_worn_%1$s_news_of_gone()
    $f$, kind, source);
  end loop;
end $do$;
revoke create on schema public from recado_platform;
create trigger leave_worn_news_of_new after insert on "ticketTags" referencing new table as became for each statement execute function leave_tag_worn_news();
create trigger leave_worn_news_of_gone before delete on "ticketTags" for each row execute function leave_tag_worn_news_of_gone();
