-- Where somebody sits, if that is not where their company is.
alter table users add "timeZone" text;
