import { announceChange } from '../../desk/messages/store.ts'
import { step } from '../../desk/tickets/track.ts'
import { changeContact } from '../../directory/contacts/people.ts'
import { resolveContact } from '../../directory/contacts/resolve.ts'
import type { Scope } from '../../kernel/scope.ts'
import type { InboundEvent, LineRow } from '../../lines/line.ts'
import type { Outcome } from './steps.ts'

type Of<K extends InboundEvent['kind']> = Extract<InboundEvent, { kind: K }>
const unknownTarget: Outcome = { ticketId: null, steps: [step('nothing', 'message-not-known')] }

const target = (scope: Scope, row: LineRow, wid: string) =>
  scope.db
    .selectFrom('messages')
    .select(['id', 'ticketId', 'reactions'])
    .where('companyId', '=', row.companyId)
    .where('whatsappId', '=', row.id)
    .where('wid', '=', wid)
    .forUpdate()
    .executeTakeFirst()

async function change(
  scope: Scope,
  row: LineRow,
  wid: string,
  values: { body?: string; isEdited?: boolean; isDeleted?: boolean; reactions?: string },
  what: string,
): Promise<Outcome> {
  const found = await target(scope, row, wid)
  if (!found) return unknownTarget
  await scope.db
    .updateTable('messages')
    .set(values)
    .where('companyId', '=', row.companyId)
    .where('id', '=', found.id)
    .execute()
  await announceChange(scope, [found.id])
  return { ticketId: found.ticketId, steps: [step(what, 'by-the-customer')] }
}

export const edited = (scope: Scope, row: LineRow, event: Of<'edit'>): Promise<Outcome> =>
  change(scope, row, event.targetId, { body: event.body, isEdited: true }, 'edited')

export const revoked = (scope: Scope, row: LineRow, event: Of<'revoke'>): Promise<Outcome> =>
  change(scope, row, event.targetId, { isDeleted: true }, 'deleted')

/** One reaction per person: a new one replaces it, an empty one takes it back. */
export async function reacted(scope: Scope, row: LineRow, event: Of<'reaction'>): Promise<Outcome> {
  const found = await target(scope, row, event.targetId)
  if (!found) return unknownTarget
  const others = found.reactions.filter((r) => r.from !== event.from)
  const { emoji, fromMe, name, from } = event
  return change(
    scope,
    row,
    event.targetId,
    { reactions: JSON.stringify(emoji ? [...others, { emoji, fromMe, name, from }] : others) },
    'reacted',
  )
}

/** A phone tells a new name or picture of somebody. A name that people wrote stays. */
export async function contactNews(scope: Scope, row: LineRow, event: Of<'contact'>): Promise<Outcome> {
  const { contact, how, by } = await resolveContact(scope, {
    identity: event.person,
    name: event.name ?? '',
    whatsappId: row.id,
  })
  if (event.picture !== undefined && event.picture !== contact.profilePicUrl)
    await changeContact(scope, contact.id, { profilePicUrl: event.picture })
  return { ticketId: null, steps: [step('contact', how, { by, name: contact.name })] }
}
