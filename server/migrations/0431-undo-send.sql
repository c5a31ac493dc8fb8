-- For how many seconds a user's messages can be taken back; 0 is not at all.
alter table users add "undoSeconds" int not null default 0 check ("undoSeconds" between 0 and 20);

-- What taking back a message restores: since when the customer waited, and the goals that the message met.
alter table messages add undo jsonb;
