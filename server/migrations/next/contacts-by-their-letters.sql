-- The second half of 0235. It becomes a step when no process of a release before 0235 runs any more: those list contacts by
-- their small letters, and this release does not.
drop index contacts_page, contacts_groups;
