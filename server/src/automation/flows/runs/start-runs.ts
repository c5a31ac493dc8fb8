import { meetsFlowConditions } from '@recado/contract/flows/flow-conditions'
import { type FlowDocument, reachedLimit } from '@recado/contract/flows/flow-document'
import { isSpeaking } from '@recado/contract/flows/flow-steps'
import type { FlowTriggerKind } from '@recado/contract/flows/flow-triggers'
import { type FlowEvent, matchesTrigger } from '@recado/contract/flows/match-trigger'
import { startPosition } from '@recado/contract/flows/walk'
import { sql } from 'kysely'
import { hasOptedOut } from '../../../desk/campaigns/opt-outs.ts'
import { lockTicket } from '../../../desk/tickets/base/ticket-view.ts'
import { addMs, hours, toCalendarDay } from '../../../kernel/clock.ts'
import type { Scope } from '../../../kernel/data/scope.ts'
import { type ActiveFlow, loadRulebook } from '../../rulebook.ts'
import { type FlowContext, loadFlowContext } from './flow-facts.ts'
import { addStepTallies, countFlowDay, countStep } from './flow-tallies.ts'
import { loadFlowDocument } from './flow-versions.ts'
import { flowStep, recordFlowStep, setSpeaker } from './run-rows.ts'

/** Something that happened and may start flows. */
export type StoredFlowEvent = { id: number; kind: FlowTriggerKind; key: string; details: Record<string, unknown> }
export type StartedRun = { runId: number; flowName: string; speaks: boolean }
/** Why a flow does not start in a conversation. */
export type StartRefusal =
  /** The event does not concern it, or has started it before. */
  | 'no-match'
  /** Another flow speaks in the conversation. */
  | 'busy'
  /** The contact gets no automatic messages. */
  | 'silent'
  /** Its conditions or limits exclude the conversation. */
  | 'excluded'
type StartResult = { run: StartedRun } | { refusal: StartRefusal }
const refuse = (refusal: StartRefusal): StartResult => ({ refusal })

/** Flows that start each other in a circle end here: one flow starts at most this often for one ticket in an hour. */
const maxStartsPerHour = 100

/** How many events of one ticket a transaction takes. */
const maxEventsPerTicket = 50

/** What the customer does is answered even if they opted out of campaigns. */
export const customerKinds: readonly FlowTriggerKind[] = ['message', 'ticketOpened', 'rated', 'campaignAnswered']
/** Whether the customer has just done something; a ticket may also be opened by a user. */
const isByCustomer = (kind: FlowTriggerKind, { facts }: FlowContext): boolean =>
  customerKinds.includes(kind) && (kind !== 'ticketOpened' || facts.ticket.waitingSince !== null)

/**
 * Starts the flows of a company's oldest events: those of one ticket, in one transaction. Returns whether there were
 * any. Another process takes those of another ticket at the same time. `onTaken` gets the ids of the events.
 */
export async function startOldestRuns(scope: Scope, onTaken: (eventIds: number[]) => void): Promise<boolean> {
  const { rows } = await sql<StoredFlowEvent & { ticketId: number }>`
    with oldest as (
      select "ticketId" from "flowEvents" where "companyId" = ${scope.companyId} and "lookAt" <= now()
      order by id limit 1 for update skip locked)
    delete from "flowEvents" where "companyId" = ${scope.companyId} and id in (
      select e.id from "flowEvents" e where e."companyId" = ${scope.companyId} and e."ticketId" = (select "ticketId" from oldest)
      order by e.id limit ${maxEventsPerTicket} for update skip locked)
    returning id, kind, key, details, "ticketId"`.execute(scope.db)
  const [first] = rows
  if (!first) return false
  onTaken(rows.map(({ id }) => id))
  await lockTicket(scope, first.ticketId)
  await startRuns(
    scope,
    first.ticketId,
    rows.sort((a, b) => a.id - b.id),
  )
  return true
}

/** An event that fails is tried this often. */
const maxTriesOfEvent = 5

/** Events that fail must not keep the others waiting: they are tried again later, and in the end given up. */
export async function postponeEvents(scope: Scope, eventIds: number[]): Promise<void> {
  const failed = sql`"companyId" = ${scope.companyId} and id = any(${eventIds}::bigint[])`
  await sql`delete from "flowEvents" where ${failed} and tries + 1 >= ${maxTriesOfEvent}`.execute(scope.db)
  await sql`update "flowEvents" set tries = tries + 1, "lookAt" = now() + interval '5 seconds' * 4 ^ tries where ${failed}`.execute(
    scope.db,
  )
}

/** Takes the events of this kind that the current transaction and earlier ones have left for a ticket. */
export const takeTicketEvents = (scope: Scope, ticketId: number): Promise<StoredFlowEvent[]> =>
  scope.load(takeEventsOfTickets, ticketId)

async function takeEventsOfTickets(scope: Scope, ticketIds: number[]): Promise<StoredFlowEvent[][]> {
  // The worker locks events before tickets, so this waits for none of them.
  const { rows } = await sql<StoredFlowEvent & { ticketId: number }>`
    delete from "flowEvents" where "companyId" = ${scope.companyId} and id in (
      select e.id from "flowEvents" e where e."companyId" = ${scope.companyId} and e."ticketId" = any(${ticketIds}::int[])
        and e.kind in ('message', 'ticketOpened')
      order by e.id limit ${ticketIds.length * maxEventsPerTicket} for update skip locked)
    returning id, kind, key, details, "ticketId"`.execute(scope.db)
  rows.sort((a, b) => a.id - b.id)
  const ofTickets = Map.groupBy(rows, ({ ticketId }) => ticketId)
  return ticketIds.map((id) => ofTickets.get(id) ?? [])
}

/**
 * Starts the flows that wait for these events of a locked ticket, in the order of the events and of the flows. A flow
 * starts once for an event, whoever looks at it and how often.
 */
export async function startRuns(scope: Scope, ticketId: number, events: StoredFlowEvent[]): Promise<StartedRun[]> {
  const started: StartedRun[] = []
  const { flows } = await loadRulebook(scope)
  const candidates = flows.filter(({ triggers }) => events.some(({ kind }) => triggers.includes(kind)))
  const context = candidates.length ? await loadFlowContext(scope, ticketId, null) : null
  if (!context) return started
  for (const event of events)
    for (const flow of candidates) {
      const result = await startRun(scope, context, flow, event)
      if (!('run' in result)) continue
      started.push(result.run)
      if (result.run.speaks) context.flowRunId = result.run.runId
    }
  if (started.length) await scope.signal('flows')
  return started
}

/** Starts one flow in a locked ticket, or says why not. */
export async function startFlow(
  scope: Scope,
  ticketId: number,
  flow: ActiveFlow,
  event: StoredFlowEvent,
): Promise<StartResult> {
  const context = await loadFlowContext(scope, ticketId, null)
  if (!context) return refuse('no-match')
  const result = await startRun(scope, context, flow, event)
  if ('run' in result) await scope.signal('flows')
  return result
}

async function startRun(
  scope: Scope,
  context: FlowContext,
  flow: ActiveFlow,
  event: StoredFlowEvent,
): Promise<StartResult> {
  if (!flow.triggers.includes(event.kind) || !concernsFlow(event, flow.id)) return refuse('no-match')
  const document = await loadFlowDocument(scope, flow.versionId)
  const trigger = document?.triggers.find((one) => matchesTrigger(one, event as FlowEvent))
  if (!document || !trigger) return refuse('no-match')
  const startedById = typeof event.details.userId === 'number' ? event.details.userId : null
  const speaks = document.steps.some(isSpeaking)
  const isReply = isByCustomer(event.kind, context)
  const obstacle = speaks ? await findObstacle(scope, context, isReply) : null
  if (obstacle) return refuse(obstacle)
  if (!meetsFlowConditions(document.conditions, { ...context.facts, startedBy: startedById }, {}))
    return refuse('excluded')
  if (!(await isWithinLimits(scope, context, flow, document))) return refuse('excluded')
  const position = startPosition(document, trigger, variablesOfEvent(event))
  const { ticket } = context
  const inserted = await scope.db
    .insertInto('flowRuns')
    .values({
      ...{ companyId: scope.companyId, flowId: flow.id, versionId: flow.versionId, eventKey: event.key },
      ...{ ticketId: ticket.id, contactId: ticket.contactId, startedById, position: JSON.stringify(position) },
      ...{ state: 'ready', speaks, isReply, dueAt: scope.now(), startedAt: scope.now() },
      // An answer that comes before the first step also ends a sequence.
      listensSince: document.kind === 'sequence' ? scope.now() : null,
    })
    .onConflict((conflict) => conflict.columns(['companyId', 'flowId', 'eventKey']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return refuse('no-match')
  if (speaks) await setSpeaker(scope, ticket.id, inserted.id)
  const tallies = new Map()
  countStep(tallies, position.stepId, 'came')
  await addStepTallies(scope, flow.versionId, tallies)
  await countFlowDay(scope, flow.id, 'started')
  await recordFlowStep(scope, ticket.id, flowStep('started', flow.name))
  return { run: { runId: inserted.id, flowName: flow.name, speaks } }
}

/** A program, a user and another flow name the flow that they start. */
const concernsFlow = ({ details }: StoredFlowEvent, flowId: number): boolean =>
  typeof details.flowId !== 'number' || details.flowId === flowId

/** What a program sent, or the flow that starts this one. */
function variablesOfEvent({ details }: StoredFlowEvent): Record<string, string> {
  if (typeof details.variables !== 'object' || !details.variables) return {}
  return Object.fromEntries(Object.entries(details.variables).map(([name, value]) => [name, String(value)]))
}

/** One flow speaks in a conversation; and none to groups, to contacts without bots, and to those who do not want it. */
async function findObstacle(
  scope: Scope,
  { ticket, flowRunId, disableBot }: FlowContext,
  isReply: boolean,
): Promise<StartRefusal | null> {
  if (flowRunId !== null) return 'busy'
  if (disableBot || ticket.isGroup || ticket.whatsappId === null) return 'silent'
  return !isReply && (await hasOptedOut(scope, ticket.contactId)) ? 'silent' : null
}

async function isWithinLimits(
  scope: Scope,
  { ticket, rulebook }: FlowContext,
  { id: flowId, name }: ActiveFlow,
  { limits }: FlowDocument,
): Promise<boolean> {
  const now = scope.now()
  const { rows } = await sql<{
    startsForTicket: number
    lastRunAt: string | null
    lastAutomaticAt: string | null
    runsToday: number
  }>`select
    (select count(*)::int from (select from "flowRuns" r where r."companyId" = ${scope.companyId} and r."ticketId" = ${ticket.id}
      and r."flowId" = ${flowId} and r."startedAt" > ${addMs(now, -hours(1))} limit ${maxStartsPerHour}) n) as "startsForTicket",
    (select max(r."startedAt") from "flowRuns" r
      where ${limits.hoursPerContact !== null} and r."companyId" = ${scope.companyId} and r."contactId" = ${ticket.contactId}
        and r."flowId" = ${flowId}) as "lastRunAt",
    (select max(m."createdAt") from messages m
      where ${limits.pauseMinutes !== null} and m."companyId" = ${scope.companyId} and m."contactId" = ${ticket.contactId}
        and m.bot is not null and m."createdAt" > ${addMs(now, -hours(7 * 24))}) as "lastAutomaticAt",
    coalesce((select d.started from "flowDays" d
      where d."companyId" = ${scope.companyId} and d."flowId" = ${flowId} and d.day = ${toCalendarDay(now, rulebook.zone)}), 0)
      as "runsToday"`.execute(scope.db)
  const history = rows[0]
  if (!history) return false
  if (history.startsForTicket >= maxStartsPerHour) {
    await recordFlowStep(scope, ticket.id, flowStep('loop-stopped', name))
    return false
  }
  const moment = (at: string | null) => (at === null ? null : Date.parse(at))
  return (
    reachedLimit(limits, {
      now: now.getTime(),
      lastRunAt: moment(history.lastRunAt),
      lastAutomaticAt: moment(history.lastAutomaticAt),
      runsToday: history.runsToday,
    }) === null
  )
}
