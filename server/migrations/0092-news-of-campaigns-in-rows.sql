-- One row for each thing that happened, not one for each campaign: whoever found that row there left it as it was, and
-- when it was taken away and counted before they had ended, what they had done was never counted.
alter table "campaignNews" drop constraint "campaignNews_pkey";
alter table "campaignNews" add id bigint generated always as identity primary key;

create or replace function campaign_message() returns trigger language plpgsql as $$
declare
  moment timestamptz := coalesce(new."ackAt", now());
  found int;
begin
  update "campaignShippings" s set
    state = case when new.state = 'failed' then 'failed' when new.state = 'sent' then 'sent' else 'queued' end,
    reason = case when new.state = 'failed' then new.error end,
    "sentAt" = case when new.state = 'sent' then coalesce(s."sentAt", moment) end,
    "deliveredAt" = case when new.state = 'sent' and new.ack >= 3 then coalesce(s."deliveredAt", moment) end,
    "readAt" = case when new.state = 'sent' and new.ack >= 4 then coalesce(s."readAt", moment) end,
    "settledAt" = case when new.state in ('sent', 'failed') then coalesce(s."settledAt", moment) end
  where s."companyId" = new."companyId" and s."messageId" = new.id;
  get diagnostics found = row_count;
  if found = 0 and new.state = 'failed' then
    update "campaignShippings" s set state = 'failed', reason = new.error, "settledAt" = moment
    where s."companyId" = new."companyId" and s."confirmationId" = new.id and s.state = 'asked';
  end if;
  insert into "campaignNews" ("companyId", "campaignId", at)
  select c."companyId", c.id, moment from campaigns c where c."companyId" = new."companyId" and c.id = new."campaignId";
  return null;
end $$;
