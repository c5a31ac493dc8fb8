-- What holds for the whole platform, chosen by the super user.
create table "platformSettings" (
  key text primary key,
  value text not null
);
select platform_table('"platformSettings"');
