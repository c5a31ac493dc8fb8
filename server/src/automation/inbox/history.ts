import { lineTraits } from '@recado/contract/line-traits'
import { fillHistoryFile, receiveHistoryMessage } from '../../desk/messages/receive.ts'
import { refreshLastMessage } from '../../desk/messages/store.ts'
import { publishThreadChanged } from '../../desk/thread-updates.ts'
import { makeStep } from '../../desk/tickets/base/tracking.ts'
import { findOrCreateHistoryTicket, refreshHistoryTicket } from '../../desk/tickets/history-ticket.ts'
import { findLine } from '../../directory/connections/find-line.ts'
import { countPastMessages, isPushStopped, storePushProgress } from '../../directory/connections/line-history.ts'
import { publishConnection } from '../../directory/connections/view.ts'
import { toIdentityKeys } from '../../directory/contacts/identity.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow, PastMessage } from '../../lines/line.ts'
import { loadRulebook } from '../rulebook.ts'
import { toMessageContent } from './message.ts'
import type { EventOutcome } from './steps.ts'
import { contactStep, resolveSender } from './target-ticket.ts'

type HistoryEvent = Extract<InboundEvent, { kind: 'past' }>

/**
 * Messages from before the line was linked. They are stored at their original time without notifications or bot answers,
 * and change no active tickets, counters or order. They go into a separate closed ticket.
 */
export async function handleHistory(scope: Scope, row: LineRow, event: HistoryEvent): Promise<EventOutcome> {
  const [first] = event.messages
  const rulebook = await loadRulebook(scope)
  if (!first || (first.group && rulebook.setting('CheckMsgIsGroup') === 'enabled'))
    return { ticketId: null, steps: [makeStep('ignored', first ? 'groups-are-off' : 'nothing-older')] }
  if (lineTraits[row.provider].pushesHistory && (await isPushStopped(scope, row.id)))
    return { ticketId: null, steps: [makeStep('ignored', 'import-stopped')] }
  await fillMissingFiles(scope, row, event.messages)
  const unknown = await findUnknownMessages(scope, row, event.messages)
  if (!unknown.length) return { ticketId: null, steps: [makeStep('duplicate', 'same-id')] }
  const isGroup = first.group && { id: first.group.id, name: first.group.name || event.name }
  const name = event.name || event.messages.find((m) => !m.fromMe && m.pushName)?.pushName || ''
  const person = await resolveSender(scope, row, { identity: first.person, name, isGroup })
  const chat = { contactId: person.contact.id, whatsappId: row.id }
  const span = { from: (unknown[0] as PastMessage).at, to: (unknown.at(-1) as PastMessage).at }
  const ticketId = await findOrCreateHistoryTicket(scope, { ...chat, isGroup: Boolean(isGroup) }, span)
  for (const message of unknown) {
    const { id: wid, at, fromMe, quotedId, ack, reactions } = message
    const { last: _last, ...words } = toMessageContent(message.content)
    const said = {
      ...words,
      wid,
      at,
      fromMe,
      quotedWid: quotedId ?? null,
      senderId: await resolveGroupAuthor(scope, row, message),
    }
    await receiveHistoryMessage(scope, { ...chat, ticketId, ...said }, { ack, reactions })
  }
  await refreshHistoryTicket(scope, ticketId)
  await refreshLastMessage(scope, ticketId)
  await publishThreadChanged(scope, [person.contact.id], row.id)
  await countPastMessages(scope, row.id, unknown.length)
  await publishConnection(scope, await findLine(scope, row.id))
  return { ticketId, steps: [contactStep(person), makeStep('past', 'asked-for', { messages: unknown.length })] }
}

/** How much of the history has arrived from a vendor that pushes it. */
export async function handleHistoryProgress(
  scope: Scope,
  row: LineRow,
  { percent }: Extract<InboundEvent, { kind: 'pastProgress' }>,
): Promise<EventOutcome> {
  await storePushProgress(scope, row.id, percent)
  await publishConnection(scope, await findLine(scope, row.id))
  const step = percent === null ? makeStep('past', 'not-shared') : makeStep('past', 'progress', { percent })
  return { ticketId: null, steps: [step] }
}

/** Files that come after their messages: then the message names the file, and a user can fetch it. */
async function fillMissingFiles(scope: Scope, row: LineRow, messages: PastMessage[]): Promise<void> {
  for (const { id, content } of messages)
    if (content.kind === 'media' && !content.key.placeholder) await fillHistoryFile(scope, row.id, id, content)
}

/** The messages that are not stored yet, oldest first. */
async function findUnknownMessages(scope: Scope, row: LineRow, messages: PastMessage[]): Promise<PastMessage[]> {
  const byId = new Map(messages.map((message) => [message.id, message]))
  const known = await scope.db
    .selectFrom('messages')
    .select('wid')
    .where('companyId', '=', row.companyId)
    .where('whatsappId', '=', row.id)
    .where('wid', 'in', [...byId.keys()])
    .execute()
  for (const { wid } of known) byId.delete(wid)
  return [...byId.values()].sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

async function resolveGroupAuthor(scope: Scope, row: LineRow, { group, fromMe }: PastMessage): Promise<number | null> {
  if (!group || fromMe || !toIdentityKeys(group.author).length) return null
  return (await resolveSender(scope, row, { identity: group.author, name: group.authorName })).contact.id
}
