-- Since when a linked line gets many messages that it cannot decrypt. Null: it does not.
alter table whatsapps add "unreadableSince" timestamptz;
