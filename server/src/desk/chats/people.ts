import { type Chat, type ChatPerson, mostPeople } from '@recado/contract/chats'
import { topics } from '@recado/contract/live'
import type { Selectable } from 'kysely'
import { type Means, Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { dropFiles } from '../../kernel/files/media.ts'
import { ownChat, titledFor, toldChat } from './view.ts'

export type Held = Selectable<DB['chats']> & { people: { id: number; name: string }[] }

/**
 * A chat of who acts, with its people, as it is until this transaction ends. The people are read once the row is ours:
 * who waited for it must not find somebody in it who has just been taken out.
 */
export async function hold(scope: Scope, id: number): Promise<Held> {
  const row = await scope.db
    .selectFrom('chats')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const people = row ? await peopleOf(scope, id) : []
  if (!row || !people.some((one) => one.id === scope.actor.id)) throw new AppError('ERR_NO_CHAT_FOUND')
  return { ...row, people }
}

const peopleOf = (scope: Scope, chatId: number) =>
  scope.db
    .selectFrom('chatUsers as m')
    .innerJoin('users as p', (join) => join.onRef('p.companyId', '=', 'm.companyId').onRef('p.id', '=', 'm.userId'))
    .select(['p.id', 'p.name'])
    .where('m.companyId', '=', scope.companyId)
    .where('m.chatId', '=', chatId)
    .orderBy('m.id')
    .execute()

/** Who acts is in this chat, or it is none. */
export async function mustBeIn(scope: Scope, id: number): Promise<void> {
  const row = await scope.db
    .selectFrom('chatUsers')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('chatId', '=', id)
    .where('userId', '=', scope.actor.id)
    .executeTakeFirst()
  if (!row) throw new AppError('ERR_NO_CHAT_FOUND')
}

const idsOf = (chat: { users: ChatPerson[] }): number[] => chat.users.map((one) => one.userId)

/** Something of it changed: all of its people hear it, and nobody else. */
export function tellChat(scope: Scope, chat: Chat): void {
  for (const { to, seen } of readersOf(chat)) scope.live(topics.chat, { action: 'update', chat: seen }, { users: to })
}

/** A one-to-one chat has another title for each of the two; all others are told once, to all. */
export const readersOf = (chat: Chat): { to: number[]; seen: Chat }[] =>
  chat.isDirect ? idsOf(chat).map((id) => ({ to: [id], seen: titledFor(chat, id) })) : [{ to: idsOf(chat), seen: chat }]

const tellGone = (scope: Scope, id: number, users: number[]) =>
  scope.live(topics.chat, { action: 'delete', id }, { users })

/** These people, all of them of the company and at work, or in the chat already. */
async function mustBeThere(scope: Scope, ids: number[], already: number[] = []): Promise<void> {
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

function together(scope: Scope, users: { id: number }[]): number[] {
  const ids = [...new Set([scope.actor.id, ...users.map((one) => one.id)])]
  if (ids.length > mostPeople) throw new AppError('ERR_VALIDATION', { users: 'Too Long!' })
  return ids
}

const letIn = (scope: Scope, chatId: number, ids: number[], readId = 0) =>
  scope.db
    .insertInto('chatUsers')
    .values(ids.map((userId) => ({ companyId: scope.companyId, chatId, userId, readId })))
    .execute()

export async function createChat(scope: Scope, write: { title: string; users: { id: number }[] }): Promise<Chat> {
  const ids = together(scope, write.users)
  await mustBeThere(scope, ids)
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
  await letIn(scope, id, ids)
  const chat = await toldChat(scope, id)
  tellChat(scope, chat)
  for (const userId of ids) scope.live(topics.chatUser, { action: 'create', userId, record: chat }, { users: [userId] })
  return ownChat(scope, { id })
}

/** The chat of two: the same one for both, made by who asks first. Nobody hears of it before something is said. */
export async function directChat(scope: Scope, userId: number): Promise<Chat> {
  const { companyId, actor } = scope
  await mustBeThere(scope, [userId])
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
  if (made) await letIn(scope, made.id, [...new Set([actor.id, userId])])
  const { id } = made ?? (await pairOf(scope, pair))
  return ownChat(scope, { id })
}
const pairOf = (scope: Scope, pair: string) =>
  scope.db
    .selectFrom('chats')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('pair', '=', pair)
    .executeTakeFirstOrThrow()

function mustOwn(scope: Scope, chat: Held): void {
  if (chat.pair !== null || chat.ownerId !== scope.actor.id) throw new AppError('ERR_NO_PERMISSION')
}

/** Who stays keeps what they have not read; who goes hears it, and nothing after it. */
export async function updateChat(
  scope: Scope,
  id: number,
  write: { title: string; users: { id: number }[] },
): Promise<Chat> {
  const held = await hold(scope, id)
  mustOwn(scope, held)
  const ids = together(scope, write.users)
  const before = held.people.map((one) => one.id)
  await mustBeThere(scope, ids, before)
  const gone = before.filter((one) => !ids.includes(one))
  const come = ids.filter((one) => !before.includes(one))
  await letOut(scope, id, gone)
  // What was said before they came is not news to them.
  if (come.length) await letIn(scope, id, come, held.lastId)
  await scope.db
    .updateTable('chats')
    .set({ title: write.title })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .execute()
  const chat = await toldChat(scope, id)
  tellGone(scope, id, gone)
  tellChat(scope, chat)
  for (const userId of ids)
    scope.live(
      topics.chatUser,
      { action: come.includes(userId) ? 'create' : 'update', userId, record: chat },
      { users: [userId] },
    )
  return ownChat(scope, { id })
}

async function letOut(scope: Scope, chatId: number, ids: number[]): Promise<void> {
  if (!ids.length) return
  await scope.db
    .deleteFrom('chatUsers')
    .where('companyId', '=', scope.companyId)
    .where('chatId', '=', chatId)
    .where('userId', 'in', ids)
    .execute()
}

export async function removeChat(scope: Scope, id: number): Promise<void> {
  const held = await hold(scope, id)
  mustOwn(scope, held)
  await end(scope, id)
  tellGone(
    scope,
    id,
    held.people.map((one) => one.id),
  )
}

/** With its messages and their files. */
async function end(scope: Scope, id: number): Promise<void> {
  const files = await scope.db
    .selectFrom('chatMessages')
    .select('mediaPath')
    .where('companyId', '=', scope.companyId)
    .where('chatId', '=', id)
    .where('mediaPath', 'is not', null)
    .execute()
  await scope.db.deleteFrom('chats').where('companyId', '=', scope.companyId).where('id', '=', id).execute()
  await dropFiles(
    scope,
    files.map((file) => file.mediaPath),
  )
}

/** A chat of two is not left: there is nobody else in it. Who wants peace mutes it. */
export async function leaveChat(scope: Scope, id: number): Promise<void> {
  const held = await hold(scope, id)
  if (held.pair !== null) throw new AppError('ERR_NO_PERMISSION')
  await letOut(scope, id, [scope.actor.id])
  tellGone(scope, id, [scope.actor.id])
  await passOn(scope, id, held.ownerId === scope.actor.id ? null : held.ownerId)
}

/** Whose it is now: of an owner who went it is who is in it longest; where nobody is left it ends. */
async function passOn(scope: Scope, id: number, ownerId: number | null): Promise<void> {
  const [longest] = await peopleOf(scope, id)
  if (!longest) return end(scope, id)
  if (ownerId === null)
    await scope.db
      .updateTable('chats')
      .set({ ownerId: longest.id })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', id)
      .execute()
  tellChat(scope, await toldChat(scope, id))
}

/** Somebody left the company. Their places went with them; what they owned passes on. */
export async function leaveChats(means: Means, companyId: number): Promise<void> {
  const scope = new Scope(means, { companyId })
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
      if (row.pair === null) return passOn(tx, id, row.ownerId)
      if (!(await peopleOf(tx, id)).length) await end(tx, id)
    })
}

const myPlace = (scope: Scope, chatId: number) =>
  scope.db
    .updateTable('chatUsers')
    .where('companyId', '=', scope.companyId)
    .where('chatId', '=', chatId)
    .where('userId', '=', scope.actor.id)

/** The other tabs of who acts. */
async function tellMe(scope: Scope, id: number): Promise<Chat> {
  const chat = await ownChat(scope, { id })
  scope.live(topics.chat, { action: 'update', chat }, { users: [scope.actor.id] })
  return chat
}

export async function muteChat(scope: Scope, id: number, muted: boolean): Promise<Chat> {
  await hold(scope, id)
  await myPlace(scope, id).set({ muted }).execute()
  return tellMe(scope, id)
}

/** All that is there when it is asked: what comes later is unread again. */
export async function readChat(scope: Scope, id: number): Promise<Chat> {
  const { lastId, people } = await hold(scope, id)
  const changed = await myPlace(scope, id)
    .set({ unreads: 0, mentions: 0, readId: lastId })
    .where((eb) => eb.or([eb('unreads', '>', 0), eb('mentions', '>', 0), eb('readId', '<', lastId)]))
    .returning('id')
    .executeTakeFirst()
  if (!changed) return ownChat(scope, { id })
  const { id: userId } = scope.actor
  const others = people.map((one) => one.id).filter((one) => one !== userId)
  scope.live(topics.chatRead, { chatId: id, userId, readId: lastId }, { users: others })
  return tellMe(scope, id)
}
