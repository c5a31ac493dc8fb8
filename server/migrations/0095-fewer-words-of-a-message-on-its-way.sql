-- A message that is taken up, or put back, by its line is on its way as before: nothing is new for its person. Only
-- what has left or failed, what is tried again after that, and ticks are.
drop trigger campaign_message on messages;
create trigger campaign_message after update of state, ack, error on messages for each row
  when (new."campaignId" is not null and new."fromMe"
    and (old.state, old.ack, old.error) is distinct from (new.state, new.ack, new.error)
    and not (old.state in ('queued', 'sending') and new.state in ('queued', 'sending') and old.ack = new.ack))
  execute function campaign_message();
