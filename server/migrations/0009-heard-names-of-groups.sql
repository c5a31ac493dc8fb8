-- What a group was called when it was last heard of: while its contact is called the same, nobody here has named it
-- otherwise, and it may follow the group's next name. Of older ones nothing is known until they are heard again.
alter table contacts add "heardName" text;
