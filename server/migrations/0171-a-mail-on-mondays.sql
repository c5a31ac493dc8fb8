-- Who wants last week in a mail on Monday morning, and which Monday they were last written to: once each.
alter table users
  add "weeklyMail" boolean not null default false,
  add "weeklyMailedOn" date;
create index users_weekly on users ("companyId") where "weeklyMail";
