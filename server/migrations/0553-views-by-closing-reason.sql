-- Views may ask for the closing reason of a ticket.
drop trigger tickets_changed_for_views on tickets;
create trigger tickets_changed_for_views after update on tickets for each row
  when ((old.status, old.priority, old."userId", old."queueId", old."whatsappId", old."contactId", old."adId", old."waitingSince", old."unreadMessages" > 0, old."snoozedAt" is null, old."updatedMinute", old."closingReasonId")
    is distinct from (new.status, new.priority, new."userId", new."queueId", new."whatsappId", new."contactId", new."adId", new."waitingSince", new."unreadMessages" > 0, new."snoozedAt" is null, new."updatedMinute", new."closingReasonId"))
  execute function record_view_change_of_ticket();
