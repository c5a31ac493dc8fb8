-- What was added to the search and not yet sorted in is sorted in by the house every few seconds (search-index.ts). Whoever
-- happened to store the message that filled half a megabyte did it until now, and the line waited behind it.
alter index messages_search set (gin_pending_list_limit = 8192);
