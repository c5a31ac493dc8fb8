import { addOpenTime } from '@recado/contract/dashboard/open-time'
import type { Insertable } from 'kysely'
import { makeStep } from '../src/desk/tickets/base/tracking.ts'
import { minutes } from '../src/kernel/clock.ts'
import type { Scope } from '../src/kernel/data/scope.ts'
import type { DB } from '../src/kernel/data/tables.ts'
import { splitIntoBatches } from './batches.ts'
import { demoCompany, demoQueues } from './demo-company.ts'
import { makeSegments } from './segments.ts'
import type { Story } from './story.ts'
import type { DemoTicket } from './write-tickets.ts'

type GoalRow = Insertable<DB['ticketGoals']>

/** The SLA goals of all conversations that needed an agent, and their results until now (docs/reports.md, goals). */
export async function writeGoals(scope: Scope, tickets: DemoTicket[]): Promise<void> {
  const { db, companyId } = scope
  const rows = tickets.flatMap((ticket) => makeGoals(ticket, scope.now()).map((goal) => ({ ...goal, companyId })))
  for (const batch of splitIntoBatches(rows)) await db.insertInto('ticketGoals').values(batch).execute()
  const late = rows.flatMap(({ ticketId, kind, minutes, lateAt }) => {
    const steps = JSON.stringify([makeStep('goal-missed', kind, { minutes })])
    return lateAt ? [{ companyId, ticketId, userId: null, kind: 'goal', at: lateAt, steps }] : []
  })
  for (const batch of splitIntoBatches(late)) await db.insertInto('ticketEvents').values(batch).execute()
}

/** A goal begins when an agent is needed: at first, after a change of queue, and whenever the ticket is reopened. */
function findPromises(
  story: Story,
): { since: Date; answeredAt: Date | null; finishedAt: Date | null; asked: boolean }[] {
  const segments = makeSegments(story).filter(({ endedBy, chatbotAt }) => endedBy !== 'bot' && chatbotAt === null)
  return segments.flatMap((segment, n) => {
    const before = segments[n - 1]
    // After a transfer to another agent of the same queue, the earlier goal continues.
    if (segment.began !== 'again' && before && before.queue === segment.queue) return []
    const next = segments.findIndex((one, m) => m > n && one.began === 'again')
    const own = segments.slice(n, next < 0 ? undefined : next)
    // A ticket that moved to another queue before it ended is not counted.
    if (own.some(({ queue }) => queue !== segment.queue)) return []
    const answeredAt = own.find((one) => one.answeredAt)?.answeredAt ?? null
    return [
      {
        since: segment.queuedAt,
        answeredAt,
        finishedAt: own.at(-1)?.finishedAt ?? null,
        asked: segment.startedAt?.getTime() !== segment.queuedAt.getTime(),
      },
    ]
  })
}

function makeGoals({ id, story, queueId, userId, whatsappId }: DemoTicket, now: Date): Omit<GoalRow, 'companyId'>[] {
  // No goals for groups, nor for customers in a menu.
  if (!story.queue || story.customer.isGroup || story.chatbot || story.menu) return []
  const { goals, hours } = demoQueues[story.queue]
  const calendar = { week: hours, holidays: [], zone: demoCompany.zone }
  return findPromises(story).flatMap(({ since, answeredAt, finishedAt, asked }) =>
    // No reply goal if the customer did not write first.
    (asked ? (['answer', 'resolve'] as const) : (['resolve'] as const)).flatMap((kind) => {
      const after = (share: number) => addOpenTime(calendar, since, minutes(goals[kind]) * share)
      const [warnAt, dueAt] = [after(0.8), after(1)]
      if (!warnAt || !dueAt) return []
      const endedAt = kind === 'answer' ? (answeredAt ?? finishedAt) : finishedAt
      const lateAt = dueAt < (endedAt ?? now) ? dueAt : null
      // Warnings that were due have already been sent.
      const nextAt = endedAt || lateAt ? null : warnAt > now ? warnAt : dueAt
      return [
        {
          ...{ ticketId: id, queueId, whatsappId, userId: endedAt || lateAt ? userId : null, kind },
          ...{ minutes: goals[kind], since, warnAt, dueAt, nextAt, lateAt, endedAt },
        },
      ]
    }),
  )
}
