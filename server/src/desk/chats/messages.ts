import { type ChatMessage, findMentions } from '@recado/contract/chats'
import { topics } from '@recado/contract/live'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { keepUpload, scheduleFileRemoval } from '../../kernel/files/media.ts'
import { messageKindOf } from '../messages/kinds.ts'
import { chatPerReader, type LockedChat, lockChat, publishChat } from './members.ts'
import { requestChatPush } from './push.ts'
import { loadChatMessage, loadPublishedChat } from './view.ts'

type ChatMessageWrite = { message: string; quotedId?: number | undefined; clientId?: string | undefined }

/** The preview shown in a list: "name: text". */
const maxPreviewLength = 200
const formatPreview = (name: string, text: string) =>
  `${name}: ${[...text.replace(/\s+/g, ' ')].slice(0, maxPreviewLength).join('')}`

/** The users mentioned in a text, except its author. */
const mentionedUserIds = (scope: Scope, chat: LockedChat, text: string): number[] => [
  ...new Set(
    findMentions(text, chat.people)
      .map((one) => one.userId)
      .filter((id) => id !== scope.actor.id),
  ),
]

/** Sends a message to a chat: five short statements, whatever the number of chats. */
export async function sendChatMessage(
  scope: Scope,
  chatId: number,
  write: ChatMessageWrite,
  uploads: Upload[],
): Promise<ChatMessage> {
  const { companyId, actor } = scope
  const chat = await lockChat(scope, chatId)
  const before = write.clientId ? await findSentByClientId(scope, chatId, write.clientId) : undefined
  if (before) return loadChatMessage(scope, before.id)
  if (uploads.length > 1) throw new AppError('ERR_VALIDATION', { medias: 'Too Long!' })
  if (!uploads.length && !write.message) throw new AppError('ERR_VALIDATION', { message: 'Required' })
  if (write.quotedId) await findChatMessage(scope, chatId, write.quotedId)
  const [upload] = uploads
  const file = upload && (await keepUpload(scope, upload))
  const mentions = mentionedUserIds(scope, chat, write.message)
  const now = scope.now()
  const { id } = await scope.db
    .insertInto('chatMessages')
    .values({
      ...{ companyId, chatId, senderId: actor.id, senderName: actor.name, message: write.message },
      ...{ clientId: write.clientId ?? null, quotedId: write.quotedId ?? null, mentions, createdAt: now },
      mediaType: upload ? messageKindOf(upload) : null,
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
      lastMessage: formatPreview(actor.name, write.message || (file?.mediaName ?? '')),
      ...{ lastSenderId: actor.id, lastId: id, updatedAt: now },
    })
    .where('companyId', '=', companyId)
    .where('id', '=', chatId)
    .execute()
  const message = await loadChatMessage(scope, id)
  const whole = await loadPublishedChat(scope, chatId)
  const newMessage = { ...message, chat: { users: whole.users.map(({ userId }) => ({ userId })) } }
  for (const { to, seen } of chatPerReader(whole))
    scope.live(topics.chat, { action: 'new-message', chat: seen, newMessage }, { users: to })
  await requestChatPush(scope, chatId)
  return message
}

const findSentByClientId = (scope: Scope, chatId: number, clientId: string) =>
  scope.db
    .selectFrom('chatMessages')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('chatId', '=', chatId)
    .where('senderId', '=', scope.actor.id)
    .where('clientId', '=', clientId)
    .executeTakeFirst()

/** A message of this chat that was not deleted. */
async function findChatMessage(scope: Scope, chatId: number, id: number) {
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
async function findOwnChatMessage(scope: Scope, chatId: number, id: number) {
  const row = await findChatMessage(scope, chatId, id)
  if (row.senderId !== scope.actor.id) throw new AppError('ERR_NO_PERMISSION')
  return row
}

type ChatMessageChange = {
  message?: string
  mentions?: number[]
  reactions?: string
  isEdited?: true
  isDeleted?: true
}
const clearedMedia = { mediaType: null, mediaPath: null, mediaName: null, mediaSize: null, mediaPages: null }

/** Changes one message and publishes it to all members of the chat. */
async function changeChatMessage(
  scope: Scope,
  chat: LockedChat,
  id: number,
  values: ChatMessageChange,
): Promise<ChatMessage> {
  await scope.db
    .updateTable('chatMessages')
    .set({ ...values, ...(values.isDeleted && clearedMedia) })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .execute()
  const message = await loadChatMessage(scope, id)
  scope.live(topics.chatMessage, { action: 'update', message }, { users: chat.people.map((one) => one.id) })
  if (chat.lastId === id && values.message !== undefined) {
    await scope.db
      .updateTable('chats')
      .set({ lastMessage: formatPreview(message.sender.name, message.message) })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', chat.id)
      .execute()
    publishChat(scope, await loadPublishedChat(scope, chat.id))
  }
  return message
}

/** An edit does not notify mentioned users again. */
export async function editChatMessage(scope: Scope, chatId: number, id: number, text: string): Promise<ChatMessage> {
  const chat = await lockChat(scope, chatId)
  await findOwnChatMessage(scope, chatId, id)
  return changeChatMessage(scope, chat, id, {
    message: text,
    mentions: mentionedUserIds(scope, chat, text),
    isEdited: true,
  })
}

export async function deleteChatMessage(scope: Scope, chatId: number, id: number): Promise<ChatMessage> {
  const chat = await lockChat(scope, chatId)
  const row = await findOwnChatMessage(scope, chatId, id)
  await scheduleFileRemoval(scope, [row.mediaPath])
  return changeChatMessage(scope, chat, id, { message: '', mentions: [], reactions: '[]', isDeleted: true })
}

export async function reactToChatMessage(
  scope: Scope,
  chatId: number,
  id: number,
  emoji: string,
): Promise<ChatMessage> {
  const chat = await lockChat(scope, chatId)
  const { reactions } = await findChatMessage(scope, chatId, id)
  const others = reactions.filter((one) => one.userId !== scope.actor.id)
  const all = emoji ? [...others, { userId: scope.actor.id, emoji }] : others
  return changeChatMessage(scope, chat, id, { reactions: JSON.stringify(all) })
}
