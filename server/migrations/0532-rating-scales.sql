-- Ratings on other scales than 1 to 3, and a comment after the number.
-- A pending question keeps the scale on which it was asked.
alter table "ratingRequests" add scale smallint not null default 3 check (scale in (3, 5, 10));
alter table "userRatings"
  -- `rate` stays from 1 to 3 for every scale: dissatisfied, satisfied, very satisfied (docs/reports.md).
  add scale smallint not null default 3 check (scale in (3, 5, 10)),
  -- What the customer answered, on its own scale. Null: `rate`, of the scale 1 to 3.
  add score smallint check (score between 0 and 10),
  add comment text not null default '',
  -- Until when the next words of the customer are the comment, and the message that asked for it.
  add "commentUntil" timestamptz,
  add "commentAskedId" bigint;
create index "userRatings_comment" on "userRatings" ("companyId", "commentUntil") where "commentUntil" is not null;
-- Ratings on other scales are counted from their rows; those from 1 to 3 by the sums.
create index "userRatings_scale" on "userRatings" ("companyId", scale, "createdAt") where scale <> 3;
create index "userRatings_commented" on "userRatings" ("companyId", "createdAt", id) where comment <> '';
