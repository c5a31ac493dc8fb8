import { addOpenTime } from '@recado/contract/dashboard/open-time'
import type { Insertable } from 'kysely'
import { step } from '../src/desk/tickets/track.ts'
import { minutes } from '../src/kernel/clock.ts'
import type { Scope } from '../src/kernel/data/scope.ts'
import type { DB } from '../src/kernel/data/tables.ts'
import { firm, queues } from './firm.ts'
import { inPortions } from './portions.ts'
import { type Ticket, timesOf } from './write-tickets.ts'

type Row = Insertable<DB['ticketGoals']>

/** What the queues promised to everybody who needed a person, and what became of it until now (docs/figures.md, goals). */
export async function writeGoals(scope: Scope, tickets: Ticket[]): Promise<void> {
  const { db, companyId } = scope
  const rows = tickets.flatMap((ticket) => goalsOf(ticket, scope.now()).map((goal) => ({ ...goal, companyId })))
  for (const portion of inPortions(rows)) await db.insertInto('ticketGoals').values(portion).execute()
  const late = rows.flatMap(({ ticketId, kind, minutes, lateAt }) => {
    const steps = JSON.stringify([step('goal-missed', kind, { minutes })])
    return lateAt ? [{ companyId, ticketId, userId: null, kind: 'goal', at: lateAt, steps }] : []
  })
  for (const portion of inPortions(late)) await db.insertInto('ticketEvents').values(portion).execute()
}

function goalsOf({ id, story, queueId, userId, whatsappId }: Ticket, now: Date): Omit<Row, 'companyId'>[] {
  // Groups are promised nothing, nor is who speaks with a menu.
  if (!story.queue || story.customer.isGroup || story.chatbot || story.menu) return []
  const { goals, hours } = queues[story.queue]
  const { since, answeredAt, finishedAt } = timesOf(story)
  const calendar = { week: hours, holidays: [], zone: firm.zone }
  return (['answer', 'resolve'] as const).flatMap((kind) => {
    const after = (share: number) => addOpenTime(calendar, since, minutes(goals[kind]) * share)
    const [warnAt, dueAt] = [after(0.8), after(1)]
    if (!warnAt || !dueAt) return []
    const endedAt = kind === 'answer' ? answeredAt : finishedAt
    const lateAt = dueAt < (endedAt ?? now) ? dueAt : null
    // Whoever should have been warned by now was.
    const nextAt = endedAt || lateAt ? null : warnAt > now ? warnAt : dueAt
    return [
      {
        ...{ ticketId: id, queueId, whatsappId, userId: endedAt || lateAt ? userId : null, kind },
        ...{ minutes: goals[kind], since, warnAt, dueAt, nextAt, lateAt, endedAt },
      },
    ]
  })
}
