-- The lanes of the board: their order, and what they do by themselves.
alter table tags
  add position int not null default 0,
  add "sayOn" boolean not null default false,
  add "sayText" text not null default '',
  add "carryOn" boolean not null default false,
  add "carryHours" int not null default 72,
  add "carryTo" int,
  add foreign key ("companyId", "carryTo") references tags ("companyId", id) on delete set null ("carryTo");
create index tags_carry_to on tags ("companyId", "carryTo") where "carryTo" is not null;
create index tags_carry on tags ("companyId", id) where "carryOn";
update tags g set position = o.place
from (select id, row_number() over (partition by "companyId" order by id) as place from tags where kanban = 1) o
where g.id = o.id;

-- The one lane in which a ticket stands, since when, and when the lane's words are due. Closed tickets keep the lane
-- for the day they are reopened, but no time runs for them.
alter table tickets
  add "laneId" int,
  add "laneSince" timestamptz,
  add "laneSayAt" timestamptz,
  add foreign key ("companyId", "laneId") references tags ("companyId", id) on delete set null ("laneId");
create index tickets_lane on tickets ("companyId", "laneId", "laneSince") where "laneId" is not null;
create index tickets_lane_say on tickets ("laneSayAt") where "laneSayAt" is not null;
update tickets t set "laneId" = l.id, "laneSince" = case when t.status <> 'closed' then now() end
from (
  select x."companyId", x."ticketId", min(x."tagId") as id from "ticketTags" x
  join tags g on g."companyId" = x."companyId" and g.id = x."tagId" and g.kanban = 1 group by x."companyId", x."ticketId"
) l
where t."companyId" = l."companyId" and t.id = l."ticketId";

-- A tag becomes a lane, or a lane ends: its tickets stand there now, or in another lane whose tag they wear.
create function move_lane() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.kanban = 1 then
    update tickets t set "laneId" = new.id, "laneSince" = case when t.status <> 'closed' then now() end
    from "ticketTags" x
    where x."companyId" = new."companyId" and x."tagId" = new.id
      and t."companyId" = x."companyId" and t.id = x."ticketId" and t."laneId" is null;
    return new;
  end if;
  update tickets t set "laneSayAt" = null, "laneSince" = case when t.status <> 'closed' then now() end, "laneId" = (
    select min(x."tagId") from "ticketTags" x
    join tags g on g."companyId" = x."companyId" and g.id = x."tagId" and g.kanban = 1
    where x."companyId" = t."companyId" and x."ticketId" = t.id and x."tagId" <> old.id
  )
  where t."companyId" = old."companyId" and t."laneId" = old.id;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end $$;
create trigger tags_lane after update of kanban on tags
  for each row when (old.kanban <> new.kanban) execute function move_lane();
create trigger tags_lane_gone before delete on tags
  for each row when (old.kanban = 1) execute function move_lane();
