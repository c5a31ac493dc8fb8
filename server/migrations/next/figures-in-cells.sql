-- The second half of 0212. It becomes a step when no process of a release before 0212 runs any more: those read and write
-- these tables, and this release does not.
drop trigger forget_cells on "figureNews";
drop function forget_cells();
drop table figures, "figureSpread", "figureParts", "figureZones";
