-- WhatsApp may lock a number out of writing to people who did not write to it. The end stays after it has passed: for
-- some days after it the line sends at half its pace.
alter table whatsapps add "lockedSince" timestamptz, add "lockedUntil" timestamptz;
