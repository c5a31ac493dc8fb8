import { sql } from 'kysely'
import { addErrand } from '../../desk/messages/errands.ts'
import { changeMessage } from '../../desk/messages/store.ts'
import { atDesk } from '../../desk/tickets/at-desk.ts'
import { step } from '../../desk/tickets/track.ts'
import { holdTicket } from '../../desk/tickets/view.ts'
import { hearContact } from '../../directory/contacts/hear.ts'
import { cleanName } from '../../directory/contacts/naming.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import type { Outcome } from './steps.ts'

type Of<K extends InboundEvent['kind']> = Extract<InboundEvent, { kind: K }>
type Found = NonNullable<Awaited<ReturnType<typeof target>>>

/** The message, held; its ticket before it, as everywhere, so that nobody waits in a circle. */
async function target(scope: Scope, row: LineRow, wid: string) {
  const known = () =>
    scope.db
      .selectFrom('messages')
      .select(['id', 'ticketId', 'reactions'])
      .where('companyId', '=', row.companyId)
      .where('whatsappId', '=', row.id)
      .where('wid', '=', wid)
  const seen = await known().executeTakeFirst()
  if (!seen) return undefined
  await holdTicket(scope, seen.ticketId)
  return known().forUpdate().executeTakeFirst()
}

type Change = Of<'edit'> | Of<'revoke'> | Of<'reaction'>

/**
 * A later word about the same message was heard before, as when this one could not be read at first. Votes are counted
 * when they come.
 */
async function isOvertaken(scope: Scope, row: LineRow, { ticketId }: Found, event: Change): Promise<boolean> {
  if (event.kind === 'revoke' || (event.kind === 'edit' && event.tally)) return false
  const { rows } = await sql`
    select 1 from journal j
    where j."companyId" = ${row.companyId} and j."ticketId" = ${ticketId} and j."whatsappId" = ${row.id}
      and j.kind = ${event.kind} and j.event ->> 'targetId' = ${event.targetId}
      and j.event ->> 'from' is not distinct from ${event.kind === 'reaction' ? event.from : null}
      and (j.event ->> 'at')::timestamptz > ${event.at} and not j.event ? 'tally' limit 1`.execute(scope.db)
  return rows.length > 0
}

/** Changes a message we know; of one that has not come yet it waits for it. */
async function change(
  scope: Scope,
  row: LineRow,
  event: Change,
  what: string,
  values: (found: Found) => Parameters<typeof changeMessage>[2],
): Promise<Outcome> {
  const found = await target(scope, row, event.targetId)
  if (!found) return { ticketId: null, steps: [step('nothing', 'message-not-yet')], waitsFor: event.targetId }
  if (await isOvertaken(scope, row, found, event))
    return { ticketId: found.ticketId, steps: [step('nothing', 'newer-known')] }
  await changeMessage(scope, found.id, values(found))
  return { ticketId: found.ticketId, steps: [step(what, 'by-the-customer')] }
}

export const edited = (scope: Scope, row: LineRow, event: Of<'edit'>): Promise<Outcome> =>
  change(scope, row, event, 'edited', () => ({ body: event.body, ...(!event.tally && { isEdited: true }) }))

export const revoked = (scope: Scope, row: LineRow, event: Of<'revoke'>): Promise<Outcome> =>
  change(scope, row, event, 'deleted', () => ({ isDeleted: true }))

/** One reaction per person: a new one replaces it, an empty one takes it back. */
export const reacted = (scope: Scope, row: LineRow, event: Of<'reaction'>): Promise<Outcome> =>
  change(scope, row, event, 'reacted', ({ reactions }) => {
    const { emoji, fromMe, from } = event
    const name = cleanName(event.name)
    // Ours from the phone replaces ours from here: the account has one.
    const others = reactions.filter((r) => (fromMe ? !r.fromMe : r.from !== from))
    return { reactions: JSON.stringify(emoji ? [...others, { emoji, fromMe, name, from }] : others) }
  })

/** A phone tells a new name or picture of somebody. A name that people wrote stays; who never wrote to us is nobody. */
export async function contactNews(scope: Scope, row: LineRow, event: Of<'contact'>): Promise<Outcome> {
  const { person: identity, name = '', picture, group: isGroup } = event
  const news = { identity, name, whatsappId: row.id, picture, isGroup }
  const contact = await hearContact(scope, news, atDesk)
  if (contact && event.looksNew) await addErrand(scope, row.id, { kind: 'picture', contactId: contact.id })
  const said = contact ? step('contact', 'known', { name: contact.name }) : step('nothing', 'contact-not-known')
  return { ticketId: null, steps: [said] }
}
