-- Contacts stand in the order of their letters, whatever accent these wear: Íris before Rosa. What is searched begins with
-- the folded name, so its order is theirs, and nothing is folded anew to sort a page.
create index contacts_letters on contacts ("companyId", search collate "C", id) where "mergedInto" is null;
create index contacts_letters_groups on contacts ("companyId", search collate "C", id) where "isGroup" and "mergedInto" is null;
