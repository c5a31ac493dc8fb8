import type { TicketEventStep } from '@recado/contract/tickets'
import { type Insertable, sql } from 'kysely'
import { makeStep } from '../src/desk/tickets/base/tracking.ts'
import type { Scope } from '../src/kernel/data/scope.ts'
import type { DB } from '../src/kernel/data/tables.ts'
import { splitIntoBatches } from './batches.ts'
import type { DemoCustomer } from './customers.ts'
import { demoQueues, type StaffMember } from './demo-company.ts'
import type { DemoFixtures } from './fixtures.ts'
import { messageContent } from './message-content.ts'
import type { DemoQueueName } from './script.ts'
import { makeSegments } from './segments.ts'
import { type Story, type StoryMessage, storyEnd, storyStart } from './story.ts'

type DemoIds = { contactIds: Map<DemoCustomer, number>; fixtures: DemoFixtures }
export type DemoTicket = {
  id: number
  number: number
  story: Story
  contactId: number
  whatsappId: number
  queueId: number | null
  userId: number | null
}

/** The messages after our last message: unread, unless the ticket is closed. */
export const unreadMessages = (story: Story): StoryMessage[] => {
  if (story.status === 'closed') return []
  const answered = story.messages.findLastIndex((message) => message.by === 'agent')
  return story.messages.slice(answered + 1).filter((message) => message.by === 'customer')
}

const toTicketRow = (scope: Scope, story: Story, { contactIds: people, fixtures }: DemoIds) => {
  const last = story.messages.at(-1) as StoryMessage
  return {
    companyId: scope.companyId,
    contactId: people.get(story.customer) ?? 0,
    whatsappId: fixtures.lines.get(story.line) ?? 0,
    queueId: story.queue && (fixtures.queues.get(story.queue) ?? null),
    userId: story.agent && (fixtures.staff.get(story.agent.name) ?? null),
    status: story.status,
    lastMessage: last.fate === 'deleted' ? '' : messageContent(last).last,
    unreadMessages: unreadMessages(story).length,
    isGroup: story.customer.isGroup,
    chatbot: story.chatbot,
    // The bot sends the menu only to a customer who is still in it.
    botLeft: !story.chatbot,
    ...(story.chatbot && { botMenus: 1, botMenuAt: storyEnd(story) }),
    fromMe: last.by === 'agent',
    waitingSince: waitingSince(story),
    ...{ promptId: null, integrationId: null },
    createdAt: storyStart(story),
    updatedAt: storyEnd(story),
  }
}

/** The time of the customer's first message after an agent's last message, while the ticket is open. */
function waitingSince({ status, messages }: Story): Date | null {
  const answered = messages.findLastIndex((one) => one.by === 'agent')
  return status === 'closed' ? null : (messages.slice(answered + 1).find((one) => one.by === 'customer')?.at ?? null)
}

/** The tickets of all stories with their actions, in order of creation. */
export async function writeTickets(scope: Scope, stories: Story[], ids: DemoIds): Promise<DemoTicket[]> {
  const tickets: DemoTicket[] = []
  for (const batch of splitIntoBatches(stories)) {
    const rows = batch.map((story) => toTicketRow(scope, story, ids))
    const made = await scope.db.insertInto('tickets').values(rows).returning(['id', 'number']).execute()
    for (const [i, { contactId, whatsappId, queueId, userId }] of rows.entries())
      tickets.push({
        id: made[i]?.id ?? 0,
        number: made[i]?.number ?? 0,
        story: batch[i] as Story,
        contactId,
        whatsappId,
        queueId,
        userId,
      })
  }
  await writeSegments(scope, tickets, ids.fixtures)
  await writeEvents(scope, tickets, ids.fixtures)
  await writeNotes(scope, tickets, ids.fixtures)
  return tickets
}

/** When the customer gave the rating; the text they wrote afterwards is the comment. */
const ratedAt = (story: Story): Date =>
  story.messages.findLast((message) => message.by === 'customer' && message.text === String(story.rating))?.at ??
  storyEnd(story)

const staffId = ({ staff }: DemoFixtures, by: StaffMember | null): number | null =>
  by ? (staff.get(by.name) ?? null) : null

async function writeSegments({ db, companyId }: Scope, tickets: DemoTicket[], fixtures: DemoFixtures): Promise<void> {
  const tracks = tickets.flatMap(({ id, story, whatsappId }): Insertable<DB['ticketTracking']>[] =>
    makeSegments(story).map(({ by, queue, ...segment }, n, all) => {
      const isRated = n === all.length - 1 && story.rating !== null
      return {
        ...{
          companyId,
          ticketId: id,
          whatsappId,
          ...segment,
          userId: staffId(fixtures, by),
          createdAt: segment.queuedAt,
        },
        ...{ queueId: queue && (fixtures.queues.get(queue) ?? null), botEnded: story.menu?.end === 'alone' },
        ...{ ratingAt: isRated ? segment.finishedAt : null, rated: isRated },
      }
    }),
  )
  for (const batch of splitIntoBatches(tracks)) await db.insertInto('ticketTracking').values(batch).execute()
  const ratings = tickets.flatMap(({ id, story, userId, queueId, whatsappId }) =>
    story.rating
      ? [{ companyId, ticketId: id, userId, queueId, whatsappId, rate: story.rating, createdAt: ratedAt(story) }]
      : [],
  )
  for (const batch of splitIntoBatches(ratings)) await db.insertInto('userRatings').values(batch).execute()
}

async function writeEvents({ db, companyId }: Scope, tickets: DemoTicket[], fixtures: DemoFixtures): Promise<void> {
  const events = tickets.flatMap(({ id, story }) => {
    const event = (kind: string, by: StaffMember | null, at: Date, ...steps: TicketEventStep[]) => ({
      ...{ companyId, ticketId: id, userId: staffId(fixtures, by), kind, at, steps: JSON.stringify(steps) },
    })
    return makeSegments(story).flatMap((segment, n, all) => {
      const { by, queue, startedAt, finishedAt } = segment
      const next = all[n + 1]
      const nameOf = (name: DemoQueueName | null | undefined) => (name ? demoQueues[name].name : null)
      const atOnce = next?.startedAt?.getTime() === next?.queuedAt.getTime()
      const moved = { from: nameOf(queue), queue: nameOf(next?.queue), user: (atOnce && next?.by?.name) || null }
      const isMine = by && startedAt
      const begins =
        isMine && startedAt > segment.queuedAt
          ? [event('accept', by, startedAt, makeStep('accepted', 'by-person', { user: by.name }))]
          : isMine && segment.began === 'again'
            ? [event('reopen', by, startedAt, makeStep('reopened', 'by-person'))]
            : []
      if (!finishedAt) return begins
      const ends = {
        resolved: () => event('resolve', by, finishedAt, makeStep('resolved', 'by-person')),
        returned: () => event('return', by, finishedAt, makeStep('returned', 'by-person')),
        transferred: () => event('transfer', by, finishedAt, makeStep('transferred', 'by-person', moved)),
        bot: () => null,
      }
      return [...begins, (segment.endedBy && ends[segment.endedBy]()) ?? []].flat()
    })
  })
  const inTime = events.sort((a, b) => a.at.getTime() - b.at.getTime())
  for (const batch of splitIntoBatches(inTime)) await db.insertInto('ticketEvents').values(batch).execute()
}

async function writeNotes({ db, companyId }: Scope, tickets: DemoTicket[], { tags }: DemoFixtures): Promise<void> {
  const notes = tickets.flatMap(({ id, story, contactId, userId }) =>
    story.notes.map(({ at, text }) => ({
      ...{ companyId, ticketId: id, contactId, userId, userName: story.agent?.name ?? '', note: text, createdAt: at },
    })),
  )
  for (const batch of splitIntoBatches(notes)) await db.insertInto('ticketNotes').values(batch).execute()
  const ticketTags = tickets.flatMap(({ id, story }) =>
    story.tags.flatMap((name) => {
      const tagId = tags.get(name)
      return tagId ? [{ companyId, ticketId: id, tagId }] : []
    }),
  )
  for (const batch of splitIntoBatches(ticketTags)) await db.insertInto('ticketTags').values(batch).execute()
  // Sets the lane of each ticket; closed tickets have no time in the lane.
  await sql`update tickets t set "laneId" = g.id, "laneSince" = case when t.status <> 'closed' then t."updatedAt" end
    from "ticketTags" x join tags g on g."companyId" = x."companyId" and g.id = x."tagId" and g.kanban = 1
    where t."companyId" = ${companyId} and x."companyId" = t."companyId" and x."ticketId" = t.id`.execute(db)
}

export const queueNameOfStory = ({ queue }: Story): string | null => queue && demoQueues[queue].name
