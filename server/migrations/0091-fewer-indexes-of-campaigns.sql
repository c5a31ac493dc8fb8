-- A hundred thousand rows are written when a campaign begins: what another index finds as well is not kept up for them.
drop index "campaignShippings_waiting";
alter table "campaignShippings" drop constraint "campaignShippings_companyId_id_key";
