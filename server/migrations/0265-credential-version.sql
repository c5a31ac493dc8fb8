-- Counts the changes of what a person logs in with (password, address, second step, passkeys). Tokens, refresh cookies
-- and socket tickets carry the number they were made under and are refused under any other, so a stolen copy of one
-- does not survive the change. Additive: the previous release does not know the column.
alter table users add "credentialVersion" integer not null default 0;
