import { type Chat, type ChatFile, type ChatMessage, chatPageSize, findTicketNumbers } from '@recado/contract/chats'
import { fold } from '@recado/contract/text/fold'
import { type RawBuilder, sql } from 'kysely'
import { keepPagePrepared, literalLimit } from '../../kernel/data/keep-prepared.ts'
import { likePattern, recordsPerPage } from '../../kernel/data/records.ts'
import { type JsonRows, makeShapedRows, timestampLeaf } from '../../kernel/data/row-shape.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { signedMediaUrl } from '../../kernel/files/media.ts'
import { findMentionedTickets } from './mentioned-tickets.ts'

/** The columns of a chat; `c` is the chat's table. */
const chatShape = {
  ...{
    id: 'c.id',
    uuid: 'c.uuid',
    title: 'c.title',
    ownerId: 'case when c.pair is null then coalesce(c."ownerId", 0) else 0 end',
  },
  ...{
    isDirect: 'c.pair is not null',
    lastMessage: 'c."lastMessage"',
    lastSenderId: 'c."lastSenderId"',
    lastId: 'c."lastId"',
  },
  updatedAt: timestampLeaf('c."updatedAt"'),
  users: `coalesce((
    select json_agg(json_build_object('userId', m."userId", 'unreads', m.unreads, 'readId', m."readId",
      'user', json_build_object('id', p.id, 'name', p.name, 'online', p.online)) order by m.id)
    from "chatUsers" m join users p on p."companyId" = m."companyId" and p.id = m."userId"
    where m."companyId" = c."companyId" and m."chatId" = c.id
  ), '[]')`,
}
/** The chat as all members may read it, and with the reader's own fields (`mine`). */
const publishedChat = makeShapedRows<Chat>(chatShape)
const ownChatShaped = makeShapedRows<Chat>({ ...chatShape, mine: { muted: 'c.muted', mentions: 'c.mentions' } })

/** A one-to-one chat is titled with the other member's name, as long as that member exists. */
export function withTitleFor(chat: Chat, userId: number): Chat {
  const other = chat.isDirect ? chat.users.find((one) => one.userId !== userId) : undefined
  return { ...chat, title: other?.user.name ?? chat.title }
}

const ownChats = (scope: Scope) => sql`
  select c.*, me.muted, me.mentions from "chatUsers" me join chats c on c."companyId" = me."companyId" and c.id = me."chatId"
  where me."companyId" = ${scope.companyId} and me."userId" = ${scope.actor.id}`

/** A one-to-one chat without messages is hidden from lists. */
const hasBegunSql = sql`(c.pair is null or c."lastId" > 0)`
/** Filters by title or by member names. */
function matchesChatSql(scope: Scope, searchParam: string): RawBuilder<unknown> {
  if (!searchParam) return sql`true`
  const pattern = likePattern(fold(searchParam))
  return sql`((c.pair is null and fold(c.title) like ${pattern}) or exists (
    select 1 from "chatUsers" x join users p on p."companyId" = x."companyId" and p.id = x."userId"
    where x."companyId" = ${scope.companyId} and x."chatId" = c.id and x."userId" <> ${scope.actor.id} and fold(p.name) like ${pattern}))`
}

/** A page of a user's chats with everything that the list shows, and the total, in one statement. */
export async function listChats(scope: Scope, searchParam: string, pageNumber: number) {
  const offset = (pageNumber - 1) * recordsPerPage
  const mine = sql`${ownChats(scope)} and ${hasBegunSql} and ${matchesChatSql(scope, searchParam)}`
  const order = sql`c."updatedAt" desc, c.id desc`
  const selection = sql`select ${ownChatShaped.cells} from (
    select * from (${mine}) c order by ${order} ${literalLimit(recordsPerPage, offset)}) c order by ${order}`
  const { rows } = await sql<{ page: JsonRows; count: number }>`${keepPagePrepared(recordsPerPage, offset)}
    select ${ownChatShaped.aggregate(selection)} as page, (select count(*)::int from (${mine}) c) as count`.execute(
    scope.db,
  )
  const records = ownChatShaped.read(rows[0]?.page).map((chat) => withTitleFor(chat, scope.actor.id))
  const count = rows[0]?.count ?? 0
  return { records, count, hasMore: offset + records.length < count }
}

/** One chat of the actor. */
export async function findOwnChat(scope: Scope, which: { id: number } | { uuid: string }): Promise<Chat> {
  const only = 'id' in which ? sql`c.id = ${which.id}` : sql`c.uuid = ${which.uuid}`
  const selection = sql`select ${ownChatShaped.cells} from (${ownChats(scope)} and ${only}) c`
  const { rows } = await sql<{ page: JsonRows }>`select ${ownChatShaped.aggregate(selection)} as page`.execute(scope.db)
  const [chat] = ownChatShaped.read(rows[0]?.page)
  if (!chat) throw new AppError('ERR_NO_CHAT_FOUND')
  return withTitleFor(chat, scope.actor.id)
}

/** The chat as it is published to all members. */
export async function loadPublishedChat(scope: Scope, id: number): Promise<Chat> {
  const selection = sql`select ${publishedChat.cells} from chats c where c."companyId" = ${scope.companyId} and c.id = ${id}`
  const { rows } = await sql<{ page: JsonRows }>`select ${publishedChat.aggregate(selection)} as page`.execute(scope.db)
  const [chat] = publishedChat.read(rows[0]?.page)
  if (!chat) throw new AppError('ERR_NO_CHAT_FOUND')
  return chat
}

/** The columns of a chat message; `m` is the message's table. */
const messageShape = {
  ...{ id: 'm.id', chatId: 'm."chatId"', senderId: 'm."senderId"', sender: { name: 'm."senderName"' } },
  ...{ message: 'm.message', clientId: 'm."clientId"', mediaType: 'm."mediaType"', mediaPath: 'm."mediaPath"' },
  ...{ mediaName: 'm."mediaName"', mediaSize: 'm."mediaSize"', mediaPages: 'm."mediaPages"' },
  ...{
    isDeleted: 'm."isDeleted"',
    isEdited: 'm."isEdited"',
    mentions: 'to_json(m.mentions)',
    reactions: 'm.reactions',
  },
  quotedMsg: {
    ...{ id: 'q.id', senderId: 'q."senderId"', sender: { name: 'q."senderName"' }, message: 'left(q.message, 300)' },
    ...{ mediaType: 'q."mediaType"', isDeleted: 'q."isDeleted"' },
  },
  createdAt: timestampLeaf('m."createdAt"'),
}
type StoredChatMessage = Omit<ChatMessage, 'mediaUrl'> & { mediaPath: string | null }
const messages = makeShapedRows<StoredChatMessage>(messageShape)
const searchHitShaped = makeShapedRows<StoredChatMessage & { chat: { id: number } }>({
  ...messageShape,
  chat: { id: 'm."chatId"' },
})
const quotedJoin = sql`left join "chatMessages" q on q."companyId" = m."companyId" and q.id = m."quotedId"`

const withMediaUrl = <M extends StoredChatMessage>(
  scope: Scope,
  { mediaPath, ...m }: M,
): Omit<M, 'mediaPath'> & { mediaUrl: string | null } => ({
  ...m,
  mediaUrl: signedMediaUrl(scope, { companyId: scope.companyId, mediaPath, mediaName: m.mediaName }),
})

export async function loadChatMessage(scope: Scope, id: number): Promise<ChatMessage> {
  const selection = sql`select ${messages.cells} from "chatMessages" m ${quotedJoin}
    where m."companyId" = ${scope.companyId} and m.id = ${id}`
  const { rows } = await sql<{ page: JsonRows }>`select ${messages.aggregate(selection)} as page`.execute(scope.db)
  const [message] = messages.read(rows[0]?.page)
  if (!message) throw new AppError('ERR_NO_CHATMESSAGE_FOUND')
  return withMediaUrl(scope, message)
}

/** A page of messages, oldest first. The caller has checked that the user may read the chat. */
export async function listChatMessages(
  scope: Scope,
  chatId: number,
  q: { pageNumber: number; before?: number | undefined },
) {
  const offset = q.before ? 0 : (q.pageNumber - 1) * chatPageSize
  const all = sql`from "chatMessages" m where m."companyId" = ${scope.companyId} and m."chatId" = ${chatId}`
  const older = q.before ? sql`and m.id < ${q.before}` : sql``
  // Reads one row more than a page, to find out whether there are more.
  const selection = sql`select ${messages.cells} from (
    select m.* ${all} ${older} order by m.id desc ${literalLimit(chatPageSize + 1, offset)}) m ${quotedJoin} order by m.id desc`
  const { rows } = await sql<{ page: JsonRows; count: number }>`${keepPagePrepared(chatPageSize, offset)}
    select ${messages.aggregate(selection)} as page, (select count(*)::int ${all}) as count`.execute(scope.db)
  const read = messages.read(rows[0]?.page)
  const records = read.slice(0, chatPageSize).map((message) => withMediaUrl(scope, message))
  return { records: records.reverse(), count: rows[0]?.count ?? 0, hasMore: read.length > chatPageSize }
}

/** How many files are shown beside a chat, and how many of its messages are searched for tickets. */
const maxFilesShown = 30
const maxMessagesScanned = 1000
const maxMentionedTickets = 20

type FileRow = Omit<ChatFile, 'mediaUrl'> & { mediaPath: string }
const files = makeShapedRows<FileRow>({
  ...{ id: 'm.id', mediaType: 'm."mediaType"', mediaPath: 'm."mediaPath"', mediaName: 'm."mediaName"' },
  ...{ mediaSize: 'm."mediaSize"', sender: { name: 'm."senderName"' } },
  createdAt: timestampLeaf('m."createdAt"'),
})

/** Files and tickets of a chat. The caller has checked that the user may read the chat. */
export async function loadChatDetails(scope: Scope, chatId: number) {
  const here = sql`m."companyId" = ${scope.companyId} and m."chatId" = ${chatId}`
  const selection = sql`select ${files.cells} from "chatMessages" m
    where ${here} and m."mediaPath" is not null order by m.id desc ${literalLimit(maxFilesShown)}`
  const { rows } = await sql<{ page: JsonRows; said: string[] | null }>`select ${files.aggregate(selection)} as page,
    (select json_agg(m.message order by m.id desc) from (
      select m.id, m.message from "chatMessages" m where ${here} order by m.id desc ${literalLimit(maxMessagesScanned)}
    ) m where m.message like '%#%') as said`.execute(scope.db)
  const numbers = [...new Set((rows[0]?.said ?? []).flatMap(findTicketNumbers))].slice(0, maxMentionedTickets)
  const found = await findMentionedTickets(scope, numbers)
  const place = new Map(numbers.map((number, at) => [number, at]))
  return {
    files: files.read(rows[0]?.page).map(({ mediaPath, ...file }) => ({
      ...file,
      mediaUrl: signedMediaUrl(scope, { companyId: scope.companyId, mediaPath, mediaName: file.mediaName }) as string,
    })),
    tickets: found.sort((a, b) => (place.get(a.number) ?? 0) - (place.get(b.number) ?? 0)),
  }
}

const searchPageSize = 30

type ChatSearch = { searchParam: string; chatId?: number | undefined; before?: number | undefined }

/** Searches messages in the user's own chats only. */
export async function searchChats(scope: Scope, { searchParam: words, chatId, before }: ChatSearch) {
  const only = chatId ? sql`and c.id = ${chatId}` : sql``
  const older = before ? sql`and n.id < ${before}` : sql``
  const hits = sql`select ${searchHitShaped.cells} from (${ownChats(scope)} ${only}) c
    cross join lateral (
      select * from "chatMessages" n where n."companyId" = c."companyId" and n."chatId" = c.id ${older}
        and not n."isDeleted" and (fold(n.message) like ${likePattern(fold(words))} or fold(coalesce(n."mediaName", '')) like ${likePattern(fold(words))})
      order by n.id desc ${literalLimit(searchPageSize + 1)}
    ) m ${quotedJoin} order by m.id desc ${literalLimit(searchPageSize + 1)}`
  const chats = sql`select ${ownChatShaped.cells} from (${ownChats(scope)} ${only}) c`
  const { rows } = await sql<{
    page: JsonRows
    chats: JsonRows
  }>`select ${searchHitShaped.aggregate(hits)} as page, ${ownChatShaped.aggregate(chats)} as chats`.execute(scope.db)
  const known = new Map(ownChatShaped.read(rows[0]?.chats).map((chat) => [chat.id, withTitleFor(chat, scope.actor.id)]))
  const page = searchHitShaped.read(rows[0]?.page)
  const records = page.slice(0, searchPageSize).flatMap((message) => {
    const chat = known.get(message.chatId)
    return chat ? [{ ...withMediaUrl(scope, message), chat: { uuid: chat.uuid, title: chat.title } }] : []
  })
  return { records, hasMore: page.length > searchPageSize }
}
