-- Each person can hide the getting-started guide for good.
alter table users add "hidesGuide" boolean not null default false;

-- Whether the super user still has the password that the first start printed. Users that exist already count as changed:
-- it is not known.
alter table users add "hasInitialPassword" boolean not null default false;
