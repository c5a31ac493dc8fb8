import { topics } from '@recado/contract/live'
import { roomsOfTicket } from '../desk/tickets/base/visibility.ts'
import { groupKey, toIdentityKeys } from '../directory/contacts/identity.ts'
import { type Deps, Scope } from '../kernel/data/scope.ts'
import type { ChatId, Line, LineRow } from '../lines/line.ts'
import { findChatId } from './outbox/chat.ts'

/** Publishes that a customer is typing, to users who see the customer's active ticket. Nothing is stored. */
export async function publishCustomerTyping(deps: Deps, row: LineRow, chat: ChatId, typing: boolean): Promise<void> {
  const [key] = identityKeysOfChat(chat)
  if (!key) return
  const scope = new Scope(deps, { companyId: row.companyId })
  const ticket = await scope.db
    .selectFrom('contactIdentities as i')
    .innerJoin('tickets as t', (join) =>
      join.onRef('t.companyId', '=', 'i.companyId').onRef('t.contactId', '=', 'i.contactId'),
    )
    .select(['t.id', 't.companyId', 't.userId', 't.queueId', 't.status'])
    .where('i.companyId', '=', row.companyId)
    .where('i.kind', '=', key.kind)
    .where('i.value', '=', key.value)
    .where('t.whatsappId', '=', row.id)
    .where('t.status', 'in', ['open', 'pending'])
    .executeTakeFirst()
  if (ticket) scope.live(topics.typing, { ticketId: ticket.id, typing }, { rooms: roomsOfTicket(ticket) })
}

/** Shows on the customer's phone that their agent is typing. */
export async function showAgentTyping(
  scope: Scope,
  line: Line,
  to: { whatsappId: number; contactId: number },
  on: boolean,
): Promise<void> {
  const chat = await findChatId(scope, to.contactId, to.whatsappId)
  if (chat) await line.setTyping(chat, on)
}

/** The identities that a WhatsApp chat id names: its suffix says the kind. */
function identityKeysOfChat(chat: ChatId) {
  if (chat.endsWith('@g.us')) return [groupKey(chat)]
  return toIdentityKeys(chat.endsWith('@lid') ? { lid: chat } : { phone: chat })
}
