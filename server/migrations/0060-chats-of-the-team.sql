-- The team's own chats. One-to-one chats have no owner and no title of their own; `pair` holds that there is one of two
-- people, whoever of them began it.
create table chats (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  uuid uuid not null default gen_random_uuid() unique,
  title text not null,
  "ownerId" int,
  pair text,
  "lastMessage" text not null default '',
  "lastSenderId" int,
  "lastId" int not null default 0,
  "createdAt" timestamptz not null default now(),
  "updatedAt" timestamptz not null default now(),
  unique ("companyId", id),
  unique ("companyId", pair),
  foreign key ("companyId", "ownerId") references users ("companyId", id) on delete set null ("ownerId"),
  foreign key ("companyId", "lastSenderId") references users ("companyId", id) on delete set null ("lastSenderId")
);
create index chats_owner on chats ("companyId", "ownerId");
create index chats_last_sender on chats ("companyId", "lastSenderId");
select tenant_table('chats');

-- Who is in a chat, and what each has not read of it.
create table "chatUsers" (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  "chatId" int not null,
  "userId" int not null,
  unreads int not null default 0,
  mentions int not null default 0,
  "readId" int not null default 0,
  muted boolean not null default false,
  "createdAt" timestamptz not null default now(),
  unique ("companyId", "chatId", "userId"),
  foreign key ("companyId", "chatId") references chats ("companyId", id) on delete cascade,
  foreign key ("companyId", "userId") references users ("companyId", id) on delete cascade
);
create index "chatUsers_mine" on "chatUsers" ("companyId", "userId", "chatId");
select tenant_table('"chatUsers"');

create table "chatMessages" (
  id int generated always as identity primary key,
  "companyId" int not null references companies on delete cascade,
  "chatId" int not null,
  "senderId" int,
  "senderName" text not null,
  message text not null default '',
  "clientId" text,
  "quotedId" int,
  "mediaType" text,
  "mediaPath" text,
  "mediaName" text,
  "mediaSize" int,
  "mediaPages" int,
  "isDeleted" boolean not null default false,
  "isEdited" boolean not null default false,
  mentions int[] not null default '{}',
  reactions jsonb not null default '[]',
  "createdAt" timestamptz not null default now(),
  unique ("companyId", id),
  foreign key ("companyId", "chatId") references chats ("companyId", id) on delete cascade,
  foreign key ("companyId", "senderId") references users ("companyId", id) on delete set null ("senderId"),
  foreign key ("companyId", "quotedId") references "chatMessages" ("companyId", id) on delete set null ("quotedId")
);
-- A page of a chat; the same sending twice; what hangs on somebody who goes, or on a message.
create index "chatMessages_page" on "chatMessages" ("companyId", "chatId", id);
create unique index "chatMessages_client" on "chatMessages" ("companyId", "chatId", "senderId", "clientId") where "clientId" is not null;
create index "chatMessages_sender" on "chatMessages" ("companyId", "senderId");
create index "chatMessages_quoted" on "chatMessages" ("companyId", "quotedId") where "quotedId" is not null;
select tenant_table('"chatMessages"');
