-- The line to which the conversations of this one moved; null after they moved back.
alter table whatsapps add "movedTo" int;
