import { sql } from 'kysely'
import { deskContactHooks } from '../../desk/composition/contact-hooks.ts'
import { addLineTask } from '../../desk/messages/line-tasks.ts'
import { changeMessage } from '../../desk/messages/store.ts'
import { lockTicket } from '../../desk/tickets/base/ticket-view.ts'
import { makeStep } from '../../desk/tickets/base/tracking.ts'
import { cleanContactName } from '../../directory/contacts/contact-name.ts'
import { updateContactFromPhone } from '../../directory/contacts/update-from-phone.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import type { EventOutcome } from './steps.ts'
import { resolveSender } from './target-ticket.ts'

type EventOf<K extends InboundEvent['kind']> = Extract<InboundEvent, { kind: K }>
type TargetMessage = NonNullable<Awaited<ReturnType<typeof lockTargetMessage>>>

/** Locks the ticket and then its message, in the order used everywhere, to avoid deadlocks. */
async function lockTargetMessage(scope: Scope, row: LineRow, wid: string) {
  const known = () =>
    scope.db
      .selectFrom('messages')
      .select(['id', 'ticketId', 'reactions'])
      .where('companyId', '=', row.companyId)
      .where('whatsappId', '=', row.id)
      .where('wid', '=', wid)
  const seen = await known().executeTakeFirst()
  if (!seen) return undefined
  await lockTicket(scope, seen.ticketId)
  return known().forUpdate().executeTakeFirst()
}

type MessageChangeEvent = EventOf<'edit'> | EventOf<'revoke'> | EventOf<'reaction'>

/**
 * Whether a later change of the same message was applied before this one, for example because this change could not be
 * decrypted at once. Votes are always counted.
 */
async function isOvertaken(
  scope: Scope,
  row: LineRow,
  { ticketId }: TargetMessage,
  event: MessageChangeEvent,
): Promise<boolean> {
  if (event.kind === 'revoke' || (event.kind === 'edit' && event.tally)) return false
  const { rows } = await sql`
    select 1 from journal j
    where j."companyId" = ${row.companyId} and j."ticketId" = ${ticketId} and j."whatsappId" = ${row.id}
      and j.kind = ${event.kind} and j.event ->> 'targetId' = ${event.targetId}
      and j.event ->> 'from' is not distinct from ${event.kind === 'reaction' ? event.from : null}
      and (j.event ->> 'at')::timestamptz > ${event.at} and not j.event ? 'tally' limit 1`.execute(scope.db)
  return rows.length > 0
}

/** Changes a stored message; if the message has not arrived yet, the change waits for it. */
async function applyChange(
  scope: Scope,
  row: LineRow,
  event: MessageChangeEvent,
  what: string,
  values: (found: TargetMessage) => Parameters<typeof changeMessage>[2],
): Promise<EventOutcome> {
  const found = await lockTargetMessage(scope, row, event.targetId)
  if (!found) return { ticketId: null, steps: [makeStep('nothing', 'message-not-yet')], waitsFor: event.targetId }
  if (await isOvertaken(scope, row, found, event))
    return { ticketId: found.ticketId, steps: [makeStep('nothing', 'newer-known')] }
  await changeMessage(scope, found.id, values(found))
  return { ticketId: found.ticketId, steps: [makeStep(what, 'by-the-customer')] }
}

export const handleEdit = (scope: Scope, row: LineRow, event: EventOf<'edit'>): Promise<EventOutcome> =>
  applyChange(scope, row, event, 'edited', () => ({ body: event.body, ...(!event.tally && { isEdited: true }) }))

export const handleRevoke = (scope: Scope, row: LineRow, event: EventOf<'revoke'>): Promise<EventOutcome> =>
  applyChange(scope, row, event, 'deleted', () => ({ isDeleted: true }))

/** Each person has one reaction: a new reaction replaces the old one, and an empty one removes it. */
export const handleReaction = (scope: Scope, row: LineRow, event: EventOf<'reaction'>): Promise<EventOutcome> =>
  applyChange(scope, row, event, 'reacted', ({ reactions }) => {
    const { emoji, fromMe, from } = event
    const name = cleanContactName(event.name)
    // Our reaction from the phone replaces our reaction from the desk: an account has only one per message.
    const others = reactions.filter((r) => (fromMe ? !r.fromMe : r.from !== from))
    return { reactions: JSON.stringify(emoji ? [...others, { emoji, fromMe, name, from }] : others) }
  })

/** A phone reports a new name or picture. Names written by agents stay; numbers that never wrote to us are ignored. */
export async function handleContactUpdate(
  scope: Scope,
  row: LineRow,
  event: EventOf<'contact'>,
): Promise<EventOutcome> {
  const { person: identity, name = '', picture, group: isGroup } = event
  const news = { identity, name, whatsappId: row.id, picture, isGroup }
  const known = await updateContactFromPhone(scope, news, deskContactHooks)
  const contact = known ?? (event.isSaved ? (await resolveSender(scope, row, { identity, name })).contact : null)
  if (contact && event.looksNew) await addLineTask(scope, row.id, { kind: 'picture', contactId: contact.id })
  const said = contact ? makeStep('contact', 'known', { name: contact.name }) : makeStep('nothing', 'contact-not-known')
  return { ticketId: null, steps: [said] }
}
