-- Each event on its way to a webhook, and to an integration, says what it follows from (kernel/trace.ts): the same id that
-- stands in the log, on the messages and beside what browsers hear. What waits from before has none.
alter table "webhookEvents" add trace text;
alter table "webhookDeliveries" add trace text;
