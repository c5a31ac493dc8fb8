-- The second half of 0212 and 0239: no release that reads the older sums, or makes cells without contacts, runs beside
-- this one.
-- A release that does not know 0239 refuses to start from here on.
comment on table kysely_migration is '0239-cells-with-contacts';

drop trigger forget_cells on "figureNews";
drop function forget_cells();
drop table figures, "figureSpread", "figureParts", "figureZones";
