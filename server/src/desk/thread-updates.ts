import { topics } from '@recado/contract/live'
import { sql } from 'kysely'
import type { Scope } from '../kernel/data/scope.ts'
import { roomsOfTicket, type TicketVisibility } from './tickets/base/visibility.ts'

export type ChatKey = { contactId: number; whatsappId: number }
const chatKeyText = ({ contactId, whatsappId }: ChatKey) => `${contactId} ${whatsappId}`

/** The rooms of all who see any of a chat's tickets, chat by chat. */
export async function findRoomsOfChats(scope: Scope, chats: ChatKey[]): Promise<string[][]> {
  if (!chats.length) return []
  const wanted = [...new Map(chats.map((chat) => [chatKeyText(chat), chat])).values()]
  const { rows } = await sql<TicketVisibility & ChatKey>`
    select distinct t."companyId", t."userId", t."queueId", t.status, t."contactId", t."whatsappId"
    from unnest(${wanted.map((w) => w.contactId)}::int[], ${wanted.map((w) => w.whatsappId)}::int[]) chat (contact, line)
    join tickets t on t."companyId" = ${scope.companyId} and t."contactId" = chat.contact and t."whatsappId" = chat.line`.execute(
    scope.db,
  )
  const seen = Map.groupBy(rows, chatKeyText)
  return chats.map((chat) => [...new Set(seen.get(chatKeyText(chat))?.flatMap(roomsOfTicket))])
}

/** The rooms for the chats of several contacts, while the contacts are merged or split. */
async function findRoomsOfContacts(scope: Scope, contactIds: number[], whatsappId: number): Promise<string[]> {
  const rooms = await findRoomsOfChats(
    scope,
    contactIds.map((contactId) => ({ contactId, whatsappId })),
  )
  return [...new Set(rooms.flat())]
}

/**
 * Publishes that a conversation changed other than message by message: history was imported, or messages were removed.
 * Clients that have the conversation open, through any of its tickets, load it again.
 */
export async function publishThreadChanged(scope: Scope, contactIds: number[], whatsappId: number): Promise<void> {
  const rooms = await findRoomsOfContacts(scope, contactIds, whatsappId)
  if (!rooms.length) return
  for (const contactId of contactIds) scope.live(topics.thread, { contactId, whatsappId }, { rooms })
}

/** Publishes changes of many chats, each to its own readers. */
export async function publishThreadsChanged(scope: Scope, chats: ChatKey[]): Promise<void> {
  const rooms = await findRoomsOfChats(scope, chats)
  chats.forEach(({ contactId, whatsappId }, n) => {
    const to = rooms[n] as string[]
    if (to.length) scope.live(topics.thread, { contactId, whatsappId }, { rooms: to })
  })
}

/** A closed ticket without a queue is visible to all who see another ticket of its chat (`canReadTicketSql`). */
export const isReadByWholeChat = <T extends TicketVisibility & { contactId: number; whatsappId: number | null }>(
  ticket: T,
): ticket is T & ChatKey => ticket.queueId === null && ticket.status === 'closed' && ticket.whatsappId !== null

/** Readers through another ticket of the chat get no events of this ticket; they get an event that the thread changed. */
export async function publishThreadToReaders(
  scope: Scope,
  before: TicketVisibility,
  after: TicketVisibility & { contactId: number; whatsappId: number | null },
): Promise<void> {
  const { contactId, whatsappId } = after
  if (whatsappId === null || isReadByWholeChat(after) === isReadByWholeChat({ ...before, contactId, whatsappId }))
    return
  await publishThreadChanged(scope, [contactId], whatsappId)
}
