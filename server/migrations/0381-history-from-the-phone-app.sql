-- Meta pushes the history of a number that is also in the WhatsApp Business app: it reports percents, and may refuse.
alter table "lineHistory" add percent smallint check (percent between 0 and 100);
alter table "lineHistory" drop constraint "lineHistory_state_check";
alter table "lineHistory" add constraint "lineHistory_state_check" check (state in ('running', 'done', 'stopped', 'silent', 'refused'));
