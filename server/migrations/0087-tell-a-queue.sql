-- A ticket that was passed to a queue is told to those who work there.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (kind in ('assigned', 'queued', 'mention', 'held'));
