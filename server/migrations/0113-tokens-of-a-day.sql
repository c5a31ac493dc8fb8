-- What all prompts of a company have used on a day, for the limit they share.
create index "promptTokens_day" on "promptTokens" ("companyId", day);
