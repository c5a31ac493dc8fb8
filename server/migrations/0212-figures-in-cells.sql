-- The sums of the dashboard, laid out so that any view of them reads few rows (docs/figures.md). A cell is a day or a
-- month of all (side 0), of a queue (1), of a person (2), of a line (4), or of where these cross (3, 5, 6, 7). What its side
-- does not tell is -1, and 0 is none. Arrays go together: the hours of a week with what is added up of each, lengths in
-- their steps, and parts of something (an option of a menu, a tag); `desk/figures/cells.ts` says which number is which.
create table "figureCells" (
  "companyId" int not null references companies (id) on delete cascade,
  side smallint not null check (side between 0 and 7),
  grain text not null check (grain in ('day', 'month')),
  "queueId" int not null,
  "userId" int not null,
  "whatsappId" int not null,
  day date not null,
  came bigint not null,
  again bigint not null,
  resolved bigint not null,
  alone bigint not null,
  transferred bigint not null,
  returned bigint not null,
  waits bigint not null,
  "waitSeconds" bigint not null,
  answers bigint not null,
  "answerSeconds" bigint not null,
  talks bigint not null,
  "talkSeconds" bigint not null,
  rated bigint not null,
  "rateSum" bigint not null,
  "answerKept" bigint not null,
  "answerLate" bigint not null,
  "resolveKept" bigint not null,
  "resolveLate" bigint not null,
  once bigint not null,
  nexts bigint not null,
  "nextSeconds" bigint not null,
  "openWaitSeconds" bigint not null,
  "openAnswerSeconds" bigint not null,
  "openTalkSeconds" bigint not null,
  "openNextSeconds" bigint not null,
  hours smallint[] not null,
  "hourSums" bigint[] not null,
  steps smallint[] not null,
  "stepCounts" bigint[] not null,
  "stepSums" bigint[] not null,
  parts bigint[] not null,
  "partCounts" bigint[] not null,
  primary key ("companyId", side, grain, "queueId", "userId", "whatsappId", day)
);
select tenant_table('"figureCells"');

-- In whose zone the cells of a company were made. Without a row they are made anew.
create table "figureCalendars" (
  "companyId" int primary key references companies (id) on delete cascade,
  zone text not null
);
select tenant_table('"figureCalendars"');

-- The release before adds news to other tables and knows nothing of the cells. What it takes is not in them: they are made
-- anew, for as long as both run side by side. Who does know them says so.
create function forget_cells() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if coalesce(current_setting('recado.cells', true), '') <> 'known' then
    delete from "figureCalendars" where "companyId" in (select "companyId" from was);
  end if;
  return null;
end $$;
grant create on schema public to recado_platform;
alter function forget_cells owner to recado_platform;
revoke create on schema public from recado_platform;
create trigger forget_cells after delete on "figureNews" referencing old table as was for each statement execute function forget_cells();
