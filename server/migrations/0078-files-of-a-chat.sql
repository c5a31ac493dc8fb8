-- Beside a chat stand its files, the newest first: a few among thousands of messages.
create index "chatMessages_files" on "chatMessages" ("companyId", "chatId", id) where "mediaPath" is not null;
