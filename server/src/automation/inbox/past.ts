import { receivePast } from '../../desk/messages/receive.ts'
import { renewLast } from '../../desk/messages/store.ts'
import { tellThread } from '../../desk/messages/thread-news.ts'
import { pastTicket, renewPast } from '../../desk/tickets/past.ts'
import { step } from '../../desk/tickets/track.ts'
import { findLine } from '../../directory/connections/connections.ts'
import { countPast } from '../../directory/connections/history.ts'
import { tellConnection } from '../../directory/connections/view.ts'
import { keysOf } from '../../directory/contacts/identity.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow, PastMessage } from '../../lines/line.ts'
import { rulebookOf } from '../rulebook.ts'
import { written } from './message.ts'
import { personOf, personStep } from './place.ts'
import type { Outcome } from './steps.ts'

type Past = Extract<InboundEvent, { kind: 'past' }>

/**
 * What was said before the desk. It is stored at its own time and that is all: nobody is rung, no bot answers, no living
 * ticket, count or order changes. It stands in a closed ticket of its own, so that nothing of the present moves.
 */
export async function past(scope: Scope, row: LineRow, event: Past): Promise<Outcome> {
  const [first] = event.messages
  const book = await rulebookOf(scope)
  if (!first || (first.group && book.setting('CheckMsgIsGroup') === 'enabled'))
    return { ticketId: null, steps: [step('ignored', first ? 'groups-are-off' : 'nothing-older')] }
  const unknown = await newOnes(scope, row, event.messages)
  if (!unknown.length) return { ticketId: null, steps: [step('duplicate', 'same-id')] }
  const isGroup = first.group && { id: first.group.id, name: first.group.name || event.name }
  const name = event.name || event.messages.find((m) => !m.fromMe && m.pushName)?.pushName || ''
  const person = await personOf(scope, row, { identity: first.person, name, isGroup })
  const chat = { contactId: person.contact.id, whatsappId: row.id }
  const span = { from: (unknown[0] as PastMessage).at, to: (unknown.at(-1) as PastMessage).at }
  const ticketId = await pastTicket(scope, { ...chat, isGroup: Boolean(isGroup) }, span)
  for (const message of unknown) {
    const { id: wid, at, fromMe, quotedId, ack, reactions } = message
    const { last: _last, ...words } = written(message.content)
    const said = {
      ...words,
      wid,
      at,
      fromMe,
      quotedWid: quotedId ?? null,
      senderId: await authorOf(scope, row, message),
    }
    await receivePast(scope, { ...chat, ticketId, ...said }, { ack, reactions })
  }
  await renewPast(scope, ticketId)
  await renewLast(scope, ticketId)
  await tellThread(scope, [person.contact.id], row.id)
  await countPast(scope, row.id, unknown.length)
  await tellConnection(scope, await findLine(scope, row.id))
  return { ticketId, steps: [personStep(person), step('past', 'asked-for', { messages: unknown.length })] }
}

/** Those that are not here yet, the oldest first. */
async function newOnes(scope: Scope, row: LineRow, messages: PastMessage[]): Promise<PastMessage[]> {
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

async function authorOf(scope: Scope, row: LineRow, { group, fromMe }: PastMessage): Promise<number | null> {
  if (!group || fromMe || !keysOf(group.author).length) return null
  return (await personOf(scope, row, { identity: group.author, name: group.authorName })).contact.id
}
