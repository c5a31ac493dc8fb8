import { type ChatMessage, namedIn } from '@recado/contract/chats'
import { topics } from '@recado/contract/live'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { dropFiles, keepUpload } from '../../kernel/files/media.ts'
import { kindOf } from '../messages/kinds.ts'
import { type Held, hold, readersOf, tellChat } from './people.ts'
import { ringChat } from './ringing.ts'
import { oneMessage, toldChat } from './view.ts'

type Write = { message: string; quotedId?: number | undefined; clientId?: string | undefined }

/** What a list shows of it: "name: text". */
const most = 200
const lineOf = (name: string, text: string) => `${name}: ${[...text.replace(/\s+/g, ' ')].slice(0, most).join('')}`

/** Whom a text names, but for who wrote it. */
const mentioned = (scope: Scope, chat: Held, text: string): number[] => [
  ...new Set(
    namedIn(text, chat.people)
      .map((one) => one.userId)
      .filter((id) => id !== scope.actor.id),
  ),
]

/** Says something in a chat: five short statements, whatever the number of chats. */
export async function sendToChat(scope: Scope, chatId: number, write: Write, uploads: Upload[]): Promise<ChatMessage> {
  const { companyId, actor } = scope
  const chat = await hold(scope, chatId)
  const before = write.clientId ? await sentBefore(scope, chatId, write.clientId) : undefined
  if (before) return oneMessage(scope, before.id)
  if (uploads.length > 1) throw new AppError('ERR_VALIDATION', { medias: 'Too Long!' })
  if (!uploads.length && !write.message) throw new AppError('ERR_VALIDATION', { message: 'Required' })
  if (write.quotedId) await messageIn(scope, chatId, write.quotedId)
  const [upload] = uploads
  const file = upload && (await keepUpload(scope, upload))
  const mentions = mentioned(scope, chat, write.message)
  const now = scope.now()
  const { id } = await scope.db
    .insertInto('chatMessages')
    .values({
      ...{ companyId, chatId, senderId: actor.id, senderName: actor.name, message: write.message },
      ...{ clientId: write.clientId ?? null, quotedId: write.quotedId ?? null, mentions, createdAt: now },
      mediaType: upload ? kindOf(upload) : null,
      mediaPath: file?.mediaPath ?? null,
      mediaName: file?.mediaName ?? null,
      mediaSize: upload?.size ?? null,
      mediaPages: upload?.pages ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`update "chatUsers" set
      unreads = case when "userId" = ${actor.id} then 0 else unreads + 1 end,
      mentions = case when "userId" = ${actor.id} then 0 when "userId" = any(${mentions}::int[]) then mentions + 1 else mentions end,
      "readId" = case when "userId" = ${actor.id} then ${id} else "readId" end
    where "companyId" = ${companyId} and "chatId" = ${chatId}`.execute(scope.db)
  await scope.db
    .updateTable('chats')
    .set({
      lastMessage: lineOf(actor.name, write.message || (file?.mediaName ?? '')),
      ...{ lastSenderId: actor.id, lastId: id, updatedAt: now },
    })
    .where('companyId', '=', companyId)
    .where('id', '=', chatId)
    .execute()
  const message = await oneMessage(scope, id)
  const whole = await toldChat(scope, chatId)
  const newMessage = { ...message, chat: { users: whole.users.map(({ userId }) => ({ userId })) } }
  for (const { to, seen } of readersOf(whole))
    scope.live(topics.chat, { action: 'new-message', chat: seen, newMessage }, { users: to })
  await ringChat(scope, chatId)
  return message
}

const sentBefore = (scope: Scope, chatId: number, clientId: string) =>
  scope.db
    .selectFrom('chatMessages')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('chatId', '=', chatId)
    .where('senderId', '=', scope.actor.id)
    .where('clientId', '=', clientId)
    .executeTakeFirst()

/** A message of this chat that is still there. */
async function messageIn(scope: Scope, chatId: number, id: number) {
  const row = await scope.db
    .selectFrom('chatMessages')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('chatId', '=', chatId)
    .where('id', '=', id)
    .where('isDeleted', '=', false)
    .executeTakeFirst()
  if (!row) throw new AppError('ERR_NO_CHATMESSAGE_FOUND')
  return row
}
async function ownIn(scope: Scope, chatId: number, id: number) {
  const row = await messageIn(scope, chatId, id)
  if (row.senderId !== scope.actor.id) throw new AppError('ERR_NO_PERMISSION')
  return row
}

type Change = { message?: string; mentions?: number[]; reactions?: string; isEdited?: true; isDeleted?: true }
const gone = { mediaType: null, mediaPath: null, mediaName: null, mediaSize: null, mediaPages: null }

/** Writes a change of one message, and tells it to all who are in the chat. */
async function change(scope: Scope, chat: Held, id: number, values: Change): Promise<ChatMessage> {
  await scope.db
    .updateTable('chatMessages')
    .set({ ...values, ...(values.isDeleted && gone) })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .execute()
  const message = await oneMessage(scope, id)
  scope.live(topics.chatMessage, { action: 'update', message }, { users: chat.people.map((one) => one.id) })
  if (chat.lastId === id && values.message !== undefined) {
    await scope.db
      .updateTable('chats')
      .set({ lastMessage: lineOf(message.sender.name, message.message) })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', chat.id)
      .execute()
    tellChat(scope, await toldChat(scope, chat.id))
  }
  return message
}

/** The new words name nobody anew: who was told once is not told again. */
export async function editInChat(scope: Scope, chatId: number, id: number, text: string): Promise<ChatMessage> {
  const chat = await hold(scope, chatId)
  await ownIn(scope, chatId, id)
  return change(scope, chat, id, { message: text, mentions: mentioned(scope, chat, text), isEdited: true })
}

export async function unsayInChat(scope: Scope, chatId: number, id: number): Promise<ChatMessage> {
  const chat = await hold(scope, chatId)
  const row = await ownIn(scope, chatId, id)
  await dropFiles(scope, [row.mediaPath])
  return change(scope, chat, id, { message: '', mentions: [], reactions: '[]', isDeleted: true })
}

export async function reactInChat(scope: Scope, chatId: number, id: number, emoji: string): Promise<ChatMessage> {
  const chat = await hold(scope, chatId)
  const { reactions } = await messageIn(scope, chatId, id)
  const others = reactions.filter((one) => one.userId !== scope.actor.id)
  const all = emoji ? [...others, { userId: scope.actor.id, emoji }] : others
  return change(scope, chat, id, { reactions: JSON.stringify(all) })
}
