import type { Step } from '@recado/contract/tickets'
import { type Insertable, sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { tellFigures } from '../figures/tell.ts'

/**
 * The dashboard's clock (docs/figures.md). A ticket's way is kept leg by leg: it waits in a queue, perhaps with a bot, and is attended by
 * one person; a return, a transfer and the end of the bot begin the next leg, and no leg is written over. So
 * - a wait is `queuedAt` to `startedAt` of a leg that somebody took (who was given it at once has none);
 * - an attendance is `startedAt` to `ratingAt` or `finishedAt`, of the leg's person, whatever ended it;
 * - a ticket was finished where `endedBy` is `resolved`; by nobody where that leg has no person (a menu ended it);
 * - `chatbotAt` marks the leg of the bot; the wait for a person begins with the leg after it.
 */
type Times = { queuedAt?: Date; startedAt?: Date; userId?: number | null; chatbotAt?: Date }
export type LegEnd = 'resolved' | 'returned' | 'transferred' | 'bot'
type Where = { id: number; whatsappId: number | null; queueId: number | null }

/** Whether a conversation begins with a leg, or comes back to life; with most legs it only goes on. */
type Began = 'new' | 'again' | null

/** Something happened on the leg that runs; the first one begins so. */
export async function track(
  scope: Scope,
  ticket: Where,
  times: Times,
  began: Exclude<Began, null> = 'new',
): Promise<void> {
  tellFigures(scope)
  const running = await changeLeg(scope, ticket, { ...times, queueId: ticket.queueId })
  if (!running) await beginLeg(scope, ticket, times, began)
}

/** The leg that runs is over, and the next begins. */
export async function nextLeg(scope: Scope, ticket: Where, endedBy: LegEnd, times: Times): Promise<void> {
  tellFigures(scope)
  // Whom a bot led to a queue came to that queue.
  const led = endedBy === 'bot' && ticket.queueId !== null && { queueId: ticket.queueId }
  const ran = await changeLeg(scope, ticket, { finishedAt: scope.now(), endedBy, ...led })
  await beginLeg(scope, ticket, times, ran ? null : 'new')
}

/** It is closed. Whoever had it keeps the attendance; else it is of who closed it. */
export async function lastLeg(scope: Scope, ticket: Where, userId: number | null, byBot: boolean): Promise<void> {
  tellFigures(scope)
  const end = { finishedAt: scope.now(), endedBy: 'resolved' as const, userId, botEnded: byBot }
  if (!(await changeLeg(scope, ticket, end))) await beginLeg(scope, ticket, end, 'new')
}

type Leg = Times & { finishedAt?: Date; endedBy?: LegEnd; queueId?: number | null; botEnded?: boolean }
const changeLeg = (scope: Scope, { id: ticketId }: Where, values: Leg): Promise<boolean> =>
  scope.ask(changeLegs, { ticketId, values })
async function changeLegs(scope: Scope, all: { ticketId: number; values: Leg }[]): Promise<boolean[]> {
  const changed = new Set<number>()
  // What is changed alike is changed at once.
  for (const same of Map.groupBy(all, ({ values }) => JSON.stringify(values)).values()) {
    const rows = await scope.db
      .updateTable('ticketTracking')
      .set(same[0]?.values as Leg)
      .where('companyId', '=', scope.companyId)
      .where('ticketId', '=', sql<number>`any(${same.map(({ ticketId }) => ticketId)}::int[])`)
      .where('finishedAt', 'is', null)
      .returning('ticketId')
      .execute()
    for (const { ticketId } of rows) changed.add(ticketId)
  }
  return all.map(({ ticketId }) => changed.has(ticketId))
}
async function beginLeg(
  scope: Scope,
  { id: ticketId, whatsappId, queueId }: Where,
  leg: Leg,
  began: Began,
): Promise<void> {
  const { companyId } = scope
  await scope.ask(beginLegs, { companyId, ticketId, whatsappId, queueId, began, createdAt: scope.now(), ...leg })
}
async function beginLegs(scope: Scope, all: Insertable<DB['ticketTracking']>[]): Promise<undefined[]> {
  await scope.db.insertInto('ticketTracking').values(all).execute()
  return all.map(() => undefined)
}

/** On the attendance that is asked about: the newest that is over. */
export async function trackRating(
  scope: Scope,
  ticketId: number,
  times: { ratingAt?: Date; rated?: boolean },
): Promise<void> {
  await scope.db
    .updateTable('ticketTracking')
    .set(times)
    .where('companyId', '=', scope.companyId)
    .where('id', '=', (eb) =>
      eb
        .selectFrom('ticketTracking')
        .select('id')
        .where('companyId', '=', scope.companyId)
        .where('ticketId', '=', ticketId)
        .where('endedBy', '=', 'resolved')
        .orderBy('id', 'desc')
        .limit(1),
    )
    .execute()
}

/** Keeps what was done to a ticket and why, so that it can be explained later. */
export async function note(scope: Scope, ticketId: number, kind: string, ...steps: Step[]): Promise<void> {
  await noteAll(scope, kind, [{ ticketId, steps }])
}
export async function noteAll(scope: Scope, kind: string, all: { ticketId: number; steps: Step[] }[]): Promise<void> {
  if (!all.length) return
  const [companyId, userId, at] = [scope.companyId, scope.person?.id ?? null, scope.now()]
  await scope.db
    .insertInto('ticketEvents')
    .values(all.map(({ ticketId, steps }) => ({ companyId, ticketId, userId, kind, steps: JSON.stringify(steps), at })))
    .execute()
}

/** What was done to it last, and by whom. */
export const lastDeed = (scope: Scope, ticketId: number) =>
  scope.db
    .selectFrom('ticketEvents')
    .select(['kind', 'userId', 'at'])
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const step = (name: string, why: string, values: Step['with'] = {}): Step => ({ step: name, why, with: values })
