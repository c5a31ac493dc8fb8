import { type Chat, type ChatPerson, maxPeoplePerChat } from '@recado/contract/chats'
import { topics } from '@recado/contract/live'
import type { Selectable } from 'kysely'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { scheduleFileRemoval } from '../../kernel/files/media.ts'
import { findOwnChat, loadPublishedChat, withTitleFor } from './view.ts'

export type LockedChat = Selectable<DB['chats']> & { people: { id: number; name: string }[] }

/**
 * Locks a chat of the actor and returns it with its members. The members are read after the row is locked: a
 * transaction that waited for the lock must not see a member who has just been removed.
 */
export async function lockChat(scope: Scope, id: number): Promise<LockedChat> {
  const row = await scope.db
    .selectFrom('chats')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const people = row ? await loadChatMembers(scope, id) : []
  if (!row || !people.some((one) => one.id === scope.actor.id)) throw new AppError('ERR_NO_CHAT_FOUND')
  return { ...row, people }
}

const loadChatMembers = (scope: Scope, chatId: number) =>
  scope.db
    .selectFrom('chatUsers as m')
    .innerJoin('users as p', (join) => join.onRef('p.companyId', '=', 'm.companyId').onRef('p.id', '=', 'm.userId'))
    .select(['p.id', 'p.name'])
    .where('m.companyId', '=', scope.companyId)
    .where('m.chatId', '=', chatId)
    .orderBy('m.id')
    .execute()

/** Throws "not found" unless the actor is a member of this chat. */
export async function assertChatMember(scope: Scope, id: number): Promise<void> {
  const row = await scope.db
    .selectFrom('chatUsers')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('chatId', '=', id)
    .where('userId', '=', scope.actor.id)
    .executeTakeFirst()
  if (!row) throw new AppError('ERR_NO_CHAT_FOUND')
}

const memberIds = (chat: { users: ChatPerson[] }): number[] => chat.users.map((one) => one.userId)

/** Publishes a change of the chat to its members only. */
export function publishChat(scope: Scope, chat: Chat): void {
  for (const { to, seen } of chatPerReader(chat))
    scope.live(topics.chat, { action: 'update', chat: seen }, { users: to })
}

/** A one-to-one chat has a different title for each member; any other chat is published once to all. */
export const chatPerReader = (chat: Chat): { to: number[]; seen: Chat }[] =>
  chat.isDirect
    ? memberIds(chat).map((id) => ({ to: [id], seen: withTitleFor(chat, id) }))
    : [{ to: memberIds(chat), seen: chat }]

const publishChatDeleted = (scope: Scope, id: number, users: number[]) =>
  scope.live(topics.chat, { action: 'delete', id }, { users })

/** All of these users must be active users of the company, or members already. */
async function assertActiveUsers(scope: Scope, ids: number[], already: number[] = []): Promise<void> {
  const wanted = ids.filter((id) => !already.includes(id))
  if (!wanted.length) return
  const found = await scope.db
    .selectFrom('users')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('active', '=', true)
    .where('id', 'in', wanted)
    .execute()
  if (found.length < wanted.length) throw new AppError('ERR_NO_USER_FOUND')
}

function withActor(scope: Scope, users: { id: number }[]): number[] {
  const ids = [...new Set([scope.actor.id, ...users.map((one) => one.id)])]
  if (ids.length > maxPeoplePerChat) throw new AppError('ERR_VALIDATION', { users: 'Too Long!' })
  return ids
}

const addMembers = (scope: Scope, chatId: number, ids: number[], readId = 0) =>
  scope.db
    .insertInto('chatUsers')
    .values(ids.map((userId) => ({ companyId: scope.companyId, chatId, userId, readId })))
    .execute()

export async function createChat(scope: Scope, write: { title: string; users: { id: number }[] }): Promise<Chat> {
  const ids = withActor(scope, write.users)
  await assertActiveUsers(scope, ids)
  const now = scope.now()
  const { id } = await scope.db
    .insertInto('chats')
    .values({
      companyId: scope.companyId,
      title: write.title,
      ownerId: scope.actor.id,
      ...{ pair: null, lastSenderId: null, createdAt: now, updatedAt: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await addMembers(scope, id, ids)
  const chat = await loadPublishedChat(scope, id)
  publishChat(scope, chat)
  for (const userId of ids) scope.live(topics.chatUser, { action: 'create', userId, record: chat }, { users: [userId] })
  return findOwnChat(scope, { id })
}

/** The one-to-one chat of two users, created by the first request. It is not published before its first message. */
export async function openDirectChat(scope: Scope, userId: number): Promise<Chat> {
  const { companyId, actor } = scope
  await assertActiveUsers(scope, [userId])
  const pair = [actor.id, userId].sort((a, b) => a - b).join(':')
  const now = scope.now()
  const made = await scope.db
    .insertInto('chats')
    .values({
      ...{ companyId, pair, title: actor.name, ownerId: null, lastSenderId: null, createdAt: now, updatedAt: now },
    })
    .onConflict((oc) => oc.columns(['companyId', 'pair']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) await addMembers(scope, made.id, [...new Set([actor.id, userId])])
  const { id } = made ?? (await findDirectChat(scope, pair))
  return findOwnChat(scope, { id })
}
const findDirectChat = (scope: Scope, pair: string) =>
  scope.db
    .selectFrom('chats')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('pair', '=', pair)
    .executeTakeFirstOrThrow()

function assertChatOwner(scope: Scope, chat: LockedChat): void {
  if (chat.pair !== null || chat.ownerId !== scope.actor.id) throw new AppError('ERR_NO_PERMISSION')
}

/** Remaining members keep their unread count; removed members get the removal and nothing after it. */
export async function updateChat(
  scope: Scope,
  id: number,
  write: { title: string; users: { id: number }[] },
): Promise<Chat> {
  const lockedChat = await lockChat(scope, id)
  assertChatOwner(scope, lockedChat)
  const ids = withActor(scope, write.users)
  const before = lockedChat.people.map((one) => one.id)
  await assertActiveUsers(scope, ids, before)
  const removedIds = before.filter((one) => !ids.includes(one))
  const addedIds = ids.filter((one) => !before.includes(one))
  await removeMembers(scope, id, removedIds)
  // Messages from before the new members joined do not count as unread.
  if (addedIds.length) await addMembers(scope, id, addedIds, lockedChat.lastId)
  await scope.db
    .updateTable('chats')
    .set({ title: write.title })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .execute()
  const chat = await loadPublishedChat(scope, id)
  publishChatDeleted(scope, id, removedIds)
  publishChat(scope, chat)
  for (const userId of ids)
    scope.live(
      topics.chatUser,
      { action: addedIds.includes(userId) ? 'create' : 'update', userId, record: chat },
      { users: [userId] },
    )
  return findOwnChat(scope, { id })
}

async function removeMembers(scope: Scope, chatId: number, ids: number[]): Promise<void> {
  if (!ids.length) return
  await scope.db
    .deleteFrom('chatUsers')
    .where('companyId', '=', scope.companyId)
    .where('chatId', '=', chatId)
    .where('userId', 'in', ids)
    .execute()
}

export async function removeChat(scope: Scope, id: number): Promise<void> {
  const lockedChat = await lockChat(scope, id)
  assertChatOwner(scope, lockedChat)
  await deleteChat(scope, id)
  publishChatDeleted(
    scope,
    id,
    lockedChat.people.map((one) => one.id),
  )
}

/** Deletes the chat with its messages and their files. */
async function deleteChat(scope: Scope, id: number): Promise<void> {
  const files = await scope.db
    .selectFrom('chatMessages')
    .select('mediaPath')
    .where('companyId', '=', scope.companyId)
    .where('chatId', '=', id)
    .where('mediaPath', 'is not', null)
    .execute()
  await scope.db.deleteFrom('chats').where('companyId', '=', scope.companyId).where('id', '=', id).execute()
  await scheduleFileRemoval(
    scope,
    files.map((file) => file.mediaPath),
  )
}

/** A one-to-one chat cannot be left, because the other member would be alone in it; it can be muted. */
export async function leaveChat(scope: Scope, id: number): Promise<void> {
  const lockedChat = await lockChat(scope, id)
  if (lockedChat.pair !== null) throw new AppError('ERR_NO_PERMISSION')
  await removeMembers(scope, id, [scope.actor.id])
  publishChatDeleted(scope, id, [scope.actor.id])
  await passOwnership(scope, id, lockedChat.ownerId === scope.actor.id ? null : lockedChat.ownerId)
}

/** Passes ownership to the longest-standing member if the owner left; deletes the chat if nobody is left. */
async function passOwnership(scope: Scope, id: number, ownerId: number | null): Promise<void> {
  const [longest] = await loadChatMembers(scope, id)
  if (!longest) return deleteChat(scope, id)
  if (ownerId === null)
    await scope.db
      .updateTable('chats')
      .set({ ownerId: longest.id })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', id)
      .execute()
  publishChat(scope, await loadPublishedChat(scope, id))
}

/** A user was deleted, and their memberships with them; chats they owned get a new owner. */
export async function reassignOrphanedChats(deps: Deps, companyId: number): Promise<void> {
  const scope = new Scope(deps, { companyId })
  const orphans = await scope.db
    .selectFrom('chats as c')
    .select('c.id')
    .where('c.companyId', '=', companyId)
    .where('c.ownerId', 'is', null)
    .where((eb) =>
      eb.or([
        eb('c.pair', 'is', null),
        eb.not(
          eb.exists(
            eb
              .selectFrom('chatUsers as m')
              .select('m.id')
              .whereRef('m.companyId', '=', 'c.companyId')
              .whereRef('m.chatId', '=', 'c.id'),
          ),
        ),
      ]),
    )
    .execute()
  for (const { id } of orphans)
    await scope.transaction(async (tx) => {
      const row = await tx.db
        .selectFrom('chats')
        .select(['ownerId', 'pair'])
        .where('companyId', '=', companyId)
        .where('id', '=', id)
        .forNoKeyUpdate()
        .executeTakeFirst()
      if (!row) return
      if (row.pair === null) return passOwnership(tx, id, row.ownerId)
      if (!(await loadChatMembers(tx, id)).length) await deleteChat(tx, id)
    })
}

const updateOwnMembership = (scope: Scope, chatId: number) =>
  scope.db
    .updateTable('chatUsers')
    .where('companyId', '=', scope.companyId)
    .where('chatId', '=', chatId)
    .where('userId', '=', scope.actor.id)

/** Publishes the chat to the actor's other tabs. */
async function publishToOwnTabs(scope: Scope, id: number): Promise<Chat> {
  const chat = await findOwnChat(scope, { id })
  scope.live(topics.chat, { action: 'update', chat }, { users: [scope.actor.id] })
  return chat
}

export async function muteChat(scope: Scope, id: number, muted: boolean): Promise<Chat> {
  await lockChat(scope, id)
  await updateOwnMembership(scope, id).set({ muted }).execute()
  return publishToOwnTabs(scope, id)
}

/** Marks all present messages as read; later messages are unread again. */
export async function markChatRead(scope: Scope, id: number): Promise<Chat> {
  const { lastId, people } = await lockChat(scope, id)
  const changed = await updateOwnMembership(scope, id)
    .set({ unreads: 0, mentions: 0, readId: lastId })
    .where((eb) => eb.or([eb('unreads', '>', 0), eb('mentions', '>', 0), eb('readId', '<', lastId)]))
    .returning('id')
    .executeTakeFirst()
  if (!changed) return findOwnChat(scope, { id })
  const { id: userId } = scope.actor
  const others = people.map((one) => one.id).filter((one) => one !== userId)
  scope.live(topics.chatRead, { chatId: id, userId, readId: lastId }, { users: others })
  return publishToOwnTabs(scope, id)
}
