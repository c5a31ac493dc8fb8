-- A message that follows from a click waits this long in the outbox, so that the click can be undone.
alter table messages add "notBefore" timestamptz;
create index messages_held on messages ("whatsappId", "notBefore") where "notBefore" is not null and state = 'queued';

-- What an undo restores: the ticket, its segment and its goals before the action, and what the action added.
alter table "ticketEvents" add undo jsonb;
