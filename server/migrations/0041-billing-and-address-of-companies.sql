-- What a company's bills are written with.
alter table companies
  add "billingName" text not null default '',
  add "addressStreet" text not null default '',
  add "addressDistrict" text not null default '',
  add "addressCity" text not null default '',
  add "addressState" text not null default '',
  add "addressZipCode" text not null default '',
  add "addressCountry" text not null default '';
