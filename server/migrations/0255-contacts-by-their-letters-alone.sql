-- The second half of 0235: no release that lists contacts by their small letters runs beside this one.
drop index contacts_page, contacts_groups;
