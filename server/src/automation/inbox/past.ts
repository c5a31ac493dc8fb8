import { sql } from 'kysely'
import { renewLast } from '../../desk/messages/store.ts'
import { tellThread } from '../../desk/messages/thread-news.ts'
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
  const ticketId = await ticketFor(scope, row, person.contact.id, unknown)
  for (const message of unknown) await store(scope, row, message, { ticketId, contactId: person.contact.id })
  await renew(scope, ticketId)
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

/** The closed ticket of what this person said before, held; made when there is none. Of no queue and no agent. */
async function ticketFor(scope: Scope, row: LineRow, contactId: number, messages: PastMessage[]): Promise<number> {
  const { companyId } = scope
  const found = await scope.db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', companyId)
    .where('contactId', '=', contactId)
    .where('whatsappId', '=', row.id)
    .where('past', '=', true)
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
  if (found) return found.id
  const [oldest, newest] = [messages[0], messages.at(-1)]
  const made = await scope.db
    .insertInto('tickets')
    .values({
      companyId,
      contactId,
      whatsappId: row.id,
      queueId: null,
      isGroup: Boolean(oldest?.group),
      status: 'closed',
      past: true,
      createdAt: oldest?.at,
      updatedAt: newest?.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

type Home = { ticketId: number; contactId: number }

/** Its file stays on the phone until somebody wants it: those of years would be gigabytes that nobody asked for. */
async function store(scope: Scope, row: LineRow, event: PastMessage, home: Home): Promise<void> {
  const { body, mediaType } = written(event.content)
  const media = event.content.kind === 'media' ? event.content : null
  await scope.db
    .insertInto('messages')
    .values({
      ...home,
      companyId: scope.companyId,
      whatsappId: row.id,
      senderId: await authorOf(scope, row, event),
      userId: null,
      wid: event.id,
      fromMe: event.fromMe,
      body,
      mediaType,
      mediaName: media?.name ?? null,
      mediaState: media ? 'failed' : 'none',
      error: media ? 'past-media' : null,
      mediaKey: media ? JSON.stringify(media.key) : null,
      quotedWid: event.quotedId ?? null,
      reactions: JSON.stringify(event.reactions ?? []),
      ack: event.fromMe ? (event.ack ?? 2) : 0,
      state: event.fromMe ? 'sent' : 'received',
      read: true,
      createdAt: event.at,
      storedAt: scope.now(),
    })
    .execute()
}

async function authorOf(scope: Scope, row: LineRow, { group, fromMe }: PastMessage): Promise<number | null> {
  if (!group || fromMe || !keysOf(group.author).length) return null
  return (await personOf(scope, row, { identity: group.author, name: group.authorName })).contact.id
}

/** Closed, its row says when it began and when something was said last; reopened, it belongs to the present. */
async function renew(scope: Scope, ticketId: number): Promise<void> {
  await sql`
    update tickets t set "fromMe" = l."fromMe", "updatedAt" = l."createdAt",
      "createdAt" = least(t."createdAt", f."createdAt")
    from (select * from messages m where m."companyId" = ${scope.companyId} and m."ticketId" = ${ticketId}
            order by m."createdAt" desc, m.id desc limit 1) l,
         (select min(m."createdAt") as "createdAt" from messages m
            where m."companyId" = ${scope.companyId} and m."ticketId" = ${ticketId}) f
    where t."companyId" = ${scope.companyId} and t.id = ${ticketId} and t.status = 'closed'`.execute(scope.db)
}
