-- Whoever wrote something that did not leave after its conversation ended is told: nobody looks there any more.
alter table notices drop constraint notices_kind_check;
alter table notices add constraint notices_kind_check check (kind in
  ('assigned', 'queued', 'mention', 'held', 'resting', 'hook-rests', 'hook-off', 'hook-gave-up', 'goal', 'unsent'));
