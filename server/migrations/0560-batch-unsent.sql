-- Why the customer of a closed ticket got no message although one was asked for; null: they get one, or none was asked for.
alter table "ticketBatchItems" add column unsent text;
