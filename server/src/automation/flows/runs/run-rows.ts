import type { FlowRun } from '@recado/contract/flows/flows'
import type { FlowPosition } from '@recado/contract/flows/walk'
import type { TicketEventStep } from '@recado/contract/tickets'
import { sql, type Updateable } from 'kysely'
import { makeStep, recordTicketEvent } from '../../../desk/tickets/base/tracking.ts'
import { updateTicketQuietly } from '../../../desk/tickets/lifecycle.ts'
import type { Scope } from '../../../kernel/data/scope.ts'
import type { DB } from '../../../kernel/data/tables.ts'

export type StoredRun = {
  id: number
  flowId: number
  flowName: string
  eventKey: string
  versionId: number
  ticketId: number
  contactId: number
  startedById: number | null
  position: FlowPosition
  state: FlowRun['state']
  dueAt: string | null
  waitsUntil: string | null
  listensSince: string | null
  speaks: boolean
  isReply: boolean
  tries: number
  calls: number
  startedAt: string
  failuresInARow: number
}

/** Locks the ticket of a run, before the run itself. */
export const lockTicketOfRun = (scope: Scope, ticketId: number): Promise<void> => scope.load(lockTickets, ticketId)

async function lockTickets(scope: Scope, ticketIds: number[]): Promise<undefined[]> {
  await sql`select from tickets where "companyId" = ${scope.companyId} and id = any(${ticketIds}::int[])
    order by id for update`.execute(scope.db)
  return ticketIds.map(() => undefined)
}

/** Locks runs whose tickets are locked already. */
export const lockRun = (scope: Scope, id: number): Promise<StoredRun | undefined> => scope.load(lockRuns, id)

async function lockRuns(scope: Scope, ids: number[]): Promise<(StoredRun | undefined)[]> {
  const rows = await scope.db
    .selectFrom('flowRuns as r')
    .innerJoin('flows as f', (join) => join.onRef('f.companyId', '=', 'r.companyId').onRef('f.id', '=', 'r.flowId'))
    .select([
      ...([
        'r.id',
        'r.flowId',
        'f.name as flowName',
        'r.eventKey',
        'r.versionId',
        'r.ticketId',
        'r.contactId',
      ] as const),
      ...(['r.startedById', 'r.position', 'r.state', 'r.dueAt', 'r.waitsUntil', 'r.listensSince'] as const),
      ...(['r.speaks', 'r.isReply', 'r.tries', 'r.calls', 'r.startedAt', 'f.failuresInARow'] as const),
    ])
    .where('r.companyId', '=', scope.companyId)
    .where('r.id', '=', sql<number>`any(${ids}::bigint[])`)
    .orderBy('r.id')
    .forUpdate('r')
    .execute()
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => found.get(id))
}

type RunChange = Updateable<DB['flowRuns']>

export const changeRun = (scope: Scope, id: number, values: RunChange): Promise<void> =>
  scope.load(changeRuns, { id, values })

/** Equal changes are written in one statement. */
async function changeRuns(scope: Scope, all: { id: number; values: RunChange }[]): Promise<undefined[]> {
  for (const same of Map.groupBy(all, ({ values }) => JSON.stringify(values)).values())
    await scope.db
      .updateTable('flowRuns')
      .set((same[0] as (typeof same)[number]).values)
      .where('companyId', '=', scope.companyId)
      .where('id', '=', sql<number>`any(${same.map(({ id }) => id)}::bigint[])`)
      .execute()
  return all.map(() => undefined)
}

/** The run is the one that speaks in the conversation from now on; null: none is. */
export const setSpeaker = (scope: Scope, ticketId: number, flowRunId: number | null): Promise<void> =>
  updateTicketQuietly(scope, ticketId, { flowRunId })

type RunEnd = Pick<Updateable<DB['flowRuns']>, 'position'> & { isSpeaker: boolean; reason: FlowRun['endReason'] }

/** Ends a run and lets others speak. Its row comes first: the database looks at runs that lose their conversation. */
export async function endRun(
  scope: Scope,
  { id, ticketId }: Pick<StoredRun, 'id' | 'ticketId'>,
  { isSpeaker, reason, ...position }: RunEnd,
): Promise<void> {
  const ended = { state: 'ended' as const, endedAt: scope.now(), endReason: reason, error: null }
  await changeRun(scope, id, { ...position, ...ended, dueAt: null, waitsUntil: null, listensSince: null })
  if (isSpeaker) await setSpeaker(scope, ticketId, null)
}

/** What a flow did, in the words of the ticket's history. */
export const flowStep = (why: string, flow: string, more: TicketEventStep['with'] = {}): TicketEventStep =>
  makeStep('flow', why, { flow, ...more })

export const recordFlowStep = (scope: Scope, ticketId: number, step: TicketEventStep): Promise<void> =>
  recordTicketEvent(scope, ticketId, 'flow', step)

/** Continuing the run failed, not a step of it: it is tried again later. */
export async function postponeRun(scope: Scope, id: number, dueAt: Date): Promise<void> {
  await scope.db
    .updateTable('flowRuns')
    .set((eb) => ({ tries: eb('tries', '+', 1), dueAt }))
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .where('state', 'not in', ['failed', 'ended'])
    .execute()
}
