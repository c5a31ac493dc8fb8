-- Not only that somebody changed something, but what it was and is: [{field, from, to}]. Of secrets it says only that.
alter table audit add changes jsonb not null default '[]';
