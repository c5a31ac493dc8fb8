import type { HistoryImportProgress } from '@recado/contract/connections'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { PastChatTodo } from '../tables.ts'

declare module '../../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** Signal that older messages of a line were requested. */
    past: [whatsappId: number]
  }
}

/** Progress of loading older messages, for every line for which it was requested. */
export async function loadLineHistory(
  scope: Scope,
  rows: { id: number }[],
): Promise<Map<number, HistoryImportProgress>> {
  const found = await scope.db
    .selectFrom('lineHistory')
    .select(['whatsappId', 'state', 'done', 'percent', 'messages', 'startedAt'])
    .select(sql<number>`coalesce(jsonb_array_length(todo), 0)`.as('chats'))
    .where('companyId', '=', scope.companyId)
    .where(
      'whatsappId',
      'in',
      rows.map(({ id }) => id),
    )
    .execute()
  return new Map(found.map(({ whatsappId, ...progress }) => [whatsappId, progress]))
}

/** Starts loading unless it is running; the process that runs the line performs it. True if it was started. */
export async function requestPastMessages(scope: Scope, whatsappId: number): Promise<boolean> {
  const fresh = { state: 'running' as const, todo: null, done: 0, percent: null, messages: 0, startedAt: scope.now() }
  const begun = await scope.db
    .insertInto('lineHistory')
    .values({ companyId: scope.companyId, whatsappId, ...fresh })
    .onConflict((c) =>
      c.columns(['companyId', 'whatsappId']).doUpdateSet(fresh).where('lineHistory.state', '!=', 'running'),
    )
    .returning('whatsappId')
    .executeTakeFirst()
  if (begun) await scope.signal('past', whatsappId)
  return begun !== undefined
}

/** Stops a running request. True if there was one. */
export const stopPastRequest = (scope: Scope, whatsappId: number): Promise<boolean> =>
  endPastRequest(scope, whatsappId, 'stopped')

export async function endPastRequest(
  scope: Scope,
  whatsappId: number,
  state: Exclude<HistoryImportProgress['state'], 'running'>,
): Promise<boolean> {
  const ended = await runningHistory(scope, whatsappId).set({ state }).returning('whatsappId').executeTakeFirst()
  return ended !== undefined
}

const runningHistory = (scope: Scope, whatsappId: number) =>
  scope.db
    .updateTable('lineHistory')
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where('state', '=', 'running')

export type PastRun = { todo: PastChatTodo[] | null; done: number; startedAt: string }

export const findPastRun = (scope: Scope, whatsappId: number): Promise<PastRun | undefined> =>
  scope.db
    .selectFrom('lineHistory')
    .select(['todo', 'done', 'startedAt'])
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where('state', '=', 'running')
    .executeTakeFirst()

export async function planPastChats(scope: Scope, whatsappId: number, todo: PastChatTodo[]): Promise<void> {
  await runningHistory(scope, whatsappId)
    .set({ todo: JSON.stringify(todo) })
    .execute()
}

/** Counts one more conversation as done; a run that was stopped or restarted meanwhile is not changed. */
export async function advancePastRun(scope: Scope, whatsappId: number, { startedAt, done }: PastRun): Promise<void> {
  await runningHistory(scope, whatsappId)
    .set({ done: done + 1 })
    .where('startedAt', '=', startedAt)
    .execute()
}

/** Whether the vendor was asked to push the history, and a user has stopped it since. */
export async function isPushStopped(scope: Scope, whatsappId: number): Promise<boolean> {
  const stopped = await scope.db
    .selectFrom('lineHistory')
    .select('whatsappId')
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where('state', '=', 'stopped')
    .executeTakeFirst()
  return stopped !== undefined
}

/**
 * Stores how much of a pushed history has arrived; null: it was refused. A run that a user stopped stays stopped. One that
 * seemed refused may begin after all: an unanswered request was repeated, and only the repetition was refused.
 */
export async function storePushProgress(scope: Scope, whatsappId: number, percent: number | null): Promise<void> {
  const state = percent === null ? 'refused' : percent >= 100 ? 'done' : 'running'
  const startedAt = scope.now()
  await scope.db
    .insertInto('lineHistory')
    .values({ companyId: scope.companyId, whatsappId, state, todo: '[]', percent, startedAt })
    .onConflict((c) =>
      c
        .columns(['companyId', 'whatsappId'])
        .doUpdateSet((eb) => ({
          state,
          // Parts may arrive in another order than they were sent.
          percent: percent === null ? null : eb.fn('greatest', ['lineHistory.percent', 'excluded.percent']),
        }))
        .where('lineHistory.state', '!=', 'stopped')
        .where((eb) => eb.or([eb('lineHistory.state', '!=', 'done'), eb.val(state === 'done')])),
    )
    .execute()
}

/** Adds to the count of newly stored messages. */
export async function countPastMessages(scope: Scope, whatsappId: number, messages: number): Promise<void> {
  await scope.db
    .updateTable('lineHistory')
    .set((eb) => ({ messages: eb('messages', '+', messages) }))
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .execute()
}

/** Conversations of a line, newest first, each with its contact. */
export async function listNewestChats(
  scope: Scope,
  whatsappId: number,
  most: number,
): Promise<{ contactId: number; at: string }[]> {
  const { rows } = await sql<{ contactId: number; at: string }>`
    select "contactId", max("updatedAt") as at from tickets
    where "companyId" = ${scope.companyId} and "whatsappId" = ${whatsappId} group by "contactId" order by at desc limit ${most}`.execute(
    scope.db,
  )
  return rows
}
