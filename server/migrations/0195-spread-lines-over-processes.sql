-- Lines are spread over the processes that run them: how heavy one is says who runs it, with each renewal of its lease;
-- who has less to do writes their name beside one of somebody who has more, and is handed it.
alter table "lineLeases" add load real not null default 1, add "wantedBy" text;
