-- Older clients save a campaign or a scheduled message first and upload its file afterwards. One that is due within a
-- minute waits this long for its file.
alter table campaigns add "uploadUntil" timestamptz;
alter table schedules add "uploadUntil" timestamptz;
