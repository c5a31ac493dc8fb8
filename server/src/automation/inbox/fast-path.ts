import type { Ticket } from '@recado/contract/tickets'
import { awaitsCampaignReplySql, isCampaignKeyword } from '../../desk/campaigns/replies.ts'
import { ticketRelationJoins, ticketShape } from '../../desk/tickets/base/ticket-view.ts'
import { makeStep } from '../../desk/tickets/base/tracking.ts'
import { type ContactRow, contactShape } from '../../directory/contacts/contact-store.ts'
import { identityKeyText, toIdentityKeys } from '../../directory/contacts/identity.ts'
import { type ResolvedContact, recognizeContact } from '../../directory/contacts/resolve-contact.ts'
import { makeShapedRows, timestampLeaf } from '../../kernel/data/row-shape.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, InboundMessage, LineRow } from '../../lines/line.ts'
import { isForPeople } from '../bots/turn.ts'
import { loadRulebook } from '../rulebook.ts'
import { journalledStep, publishedStep } from './steps.ts'

/** A ticket before this message. `last` is omitted, because this message replaces it. */
export type KnownTicket = Omit<Ticket, 'last' | 'heard'>
/**
 * The fast path: a text from a known sender to an active ticket. Sender and ticket are looked up here, for a whole batch
 * in one statement, and the message is written in the statement that journals it. All other events go to `handle`.
 */
export type KnownSender = { resolvedContact: ResolvedContact; ticket: KnownTicket; changeCount: number }
export type FindSender = (event: InboundEvent) => KnownSender | null
export type SenderLookup = {
  findSender: FindSender
  /** The known person of a direct chat, also for events that cannot take the fast path. */
  contactIdOf: (event: InboundEvent) => number | null
}
export const noSenders: SenderLookup = { findSender: () => null, contactIdOf: () => null }

const isFastPathEvent = (event: InboundEvent): event is InboundMessage =>
  event.kind === 'message' && !event.fromMe && !event.group && !event.referral && event.content.kind === 'text'

type SenderRow = {
  kind: never
  value: string
  rules: number
  /** Whether a campaign wrote to the contact and waits for an answer. */
  awaited: boolean
  contact: ContactRow
  ticket: (KnownTicket & { botLeft: boolean; awayTold: string | null; flowRunId: number | null }) | null
}
const senderShaped = makeShapedRows<SenderRow>({
  kind: 'k.kind',
  value: 'k.value',
  rules: '(select "rulesVersion" from companies where id = $1)',
  awaited: awaitsCampaignReplySql,
  contact: contactShape,
  ticket: {
    ...ticketShape,
    botLeft: 't."botLeft"',
    awayTold: timestampLeaf('t."awayTold"'),
    flowRunId: 't."flowRunId"',
  },
})

// Nested lookups by key: on a new database the planner has no statistics and would scan whole tables.
const lookUpSql = `
  select ${senderShaped.cellsText}
  from unnest($2::text[], $3::text[]) k (kind, value)
  cross join lateral (
    select c.* from "contactIdentities" i join contacts c on c."companyId" = i."companyId" and c.id = i."contactId"
    where i."companyId" = $1 and i.kind = k.kind and i.value = k.value and c."mergedInto" is null limit 1
  ) c
  left join lateral (
    select * from tickets where "companyId" = $1 and "contactId" = c.id and "whatsappId" = $4 and status in ('open', 'pending') limit 1
  ) t on true ${ticketRelationJoins}`

/** The person of a direct chat. A group's order is that of its chat. */
const personKeys = (event: InboundEvent) =>
  'person' in event && !('group' in event && event.group) ? toIdentityKeys(event.person) : []

/** The known senders of a batch and their active tickets, where no bot is involved. */
export async function lookUpSenders(deps: Deps, row: LineRow, events: InboundEvent[]): Promise<SenderLookup> {
  const keys = [...new Map(events.flatMap(personKeys).map((key) => [identityKeyText(key), key])).values()]
  if (!keys.length) return noSenders
  // The counter is read before the lookup: if the company's data changes meanwhile, tickets are read again before
  // publishing.
  const changes = deps.live.changeCount(row.companyId)
  const senderRows = await deps.database.queryPrepared<{ cells: unknown[] }>(
    row.companyId,
    'inbox_preload',
    lookUpSql,
    [row.companyId, keys.map((k) => k.kind), keys.map((k) => k.value), row.id],
  )
  const rows = senderShaped.read(senderRows.map(({ cells }) => cells))
  const contacts = new Map(rows.map((r) => [identityKeyText(r), r.contact]))
  const tickets = new Map(rows.map((r) => [r.contact.id, r.ticket]))
  const awaitingCampaignReply = new Set(rows.filter((r) => r.awaited).map((r) => r.contact.id))
  const [first] = rows
  if (!first) return noSenders
  const rulebook = await loadRulebook(new Scope(deps, { companyId: row.companyId }), first.rules)
  const now = deps.clock.now()
  const findSender: FindSender = (event) => {
    if (!isFastPathEvent(event) || event.content.kind !== 'text') return null
    const resolved = recognizeContact(contacts, {
      ...{ identity: event.person, name: event.pushName, whatsappId: row.id, isSender: true },
    })
    const ticket = resolved && tickets.get(resolved.contact.id)
    if (
      resolved &&
      (awaitingCampaignReply.has(resolved.contact.id) || isCampaignKeyword(rulebook.campaigns, event.content.body))
    )
      return null
    // A message may end a snooze, which is recorded, or answer a flow.
    if (
      !ticket ||
      ticket.snooze ||
      ticket.flowRunId !== null ||
      !isForPeople(rulebook, ticket, resolved.contact.disableBot, event.content.body, now)
    )
      return null
    return { resolvedContact: resolved, ticket, changeCount: changes }
  }
  const contactIdOf = (event: InboundEvent) =>
    personKeys(event)
      .map((key) => contacts.get(identityKeyText(key))?.id)
      .find((id) => id !== undefined) ?? null
  return { findSender, contactIdOf }
}

export const fastPathSteps = ({ resolvedContact: resolved, ticket }: KnownSender) => [
  journalledStep,
  makeStep('contact', 'known', { by: resolved.matchedBy, name: resolved.contact.name }),
  makeStep('ticket', 'joined', { ticket: ticket.id, number: ticket.number, status: ticket.status }),
  publishedStep(ticket),
]
