import type { CustomerAnswer } from '@recado/contract/flows/answers'
import { positionAfter } from '@recado/contract/flows/walk'
import type { TicketDetail, TicketEventStep } from '@recado/contract/tickets'
import { sql } from 'kysely'
import { toCalendarDay } from '../../../kernel/clock.ts'
import { keepPrepared } from '../../../kernel/data/keep-prepared.ts'
import type { Scope } from '../../../kernel/data/scope.ts'
import type { Rulebook } from '../../rulebook.ts'
import { addStepTallies, countStep, type StepTallies } from './flow-tallies.ts'
import { loadFlowDocument } from './flow-versions.ts'
import {
  changeRun,
  endRun,
  flowStep,
  lockRun,
  lockTicketOfRun,
  recordFlowStep,
  type StoredRun,
  setSpeaker,
} from './run-rows.ts'
import { startRuns, takeTicketEvents } from './start-runs.ts'

/** A message as a flow reads it. */
export type HeardMessage = {
  answer: CustomerAnswer
  /** When it was written, by our clock. */
  correctedTime: () => Promise<Date>
}

/**
 * Gives the message to the run that speaks in the conversation, in the transaction that stores the message. The worker
 * continues the run afterwards. Returns what happened, or null if the bots act as usual: nobody speaks, or the run only
 * waits for a time.
 */
export async function passToRun(
  scope: Scope,
  rulebook: Rulebook,
  flowRunId: number | null,
  { answer, correctedTime }: HeardMessage,
): Promise<TicketEventStep | null> {
  const run = flowRunId === null ? undefined : await lockRun(scope, flowRunId)
  const document = run && (await loadFlowDocument(scope, run.versionId))
  if (!run || !document || run.state === 'ended' || run.state === 'failed') return null
  // A message that was written before the question is no answer to it.
  if (run.listensSince === null || (await correctedTime()).getTime() < Date.parse(run.listensSince))
    return isOnlyWaiting(run) ? null : flowStep('busy', run.flowName)
  const answers = { language: rulebook.language, today: toCalendarDay(scope.now(), rulebook.zone) }
  const position = positionAfter(document, run.position, { kind: 'message', message: answer }, { answers })
  await addStepTallies(scope, run.versionId, tallyAnswer(run, position.stepId, position.ended !== null))
  if (document.kind === 'sequence') return endSequence(scope, run, JSON.stringify(position))
  await changeRun(scope, run.id, {
    ...{ position: JSON.stringify(position), state: 'ready', dueAt: scope.now() },
    ...{ waitsUntil: null, listensSince: null, isReply: true },
  })
  await scope.signal('flows')
  return flowStep(position.tries > run.position.tries ? 'not-understood' : 'answered', run.flowName)
}

function tallyAnswer(run: StoredRun, stepId: string | null, isEnded: boolean): StepTallies {
  const tallies: StepTallies = new Map()
  const { position } = run
  if (stepId !== position.stepId || isEnded) countStep(tallies, position.stepId, 'answered')
  if (stepId !== position.stepId && !isEnded) countStep(tallies, stepId, 'came')
  return tallies
}

/** The run waits for a time, and bots may speak meanwhile. */
const isOnlyWaiting = ({ state, listensSince }: StoredRun): boolean => state === 'waiting' && listensSince === null

/** The customer asks for no more messages: a sequence ends, although no bot handles what they wrote. */
export async function endSequenceOfTicket(scope: Scope, flowRunId: number | null): Promise<void> {
  const run = flowRunId === null ? undefined : await lockRun(scope, flowRunId)
  const document = run && (await loadFlowDocument(scope, run.versionId))
  if (run && run.state !== 'ended' && document?.kind === 'sequence')
    await endSequence(scope, run, JSON.stringify(run.position))
}

/**
 * A run that listened in a ticket that was closed goes on in the ticket that the customer has opened since. Returns the
 * run, which speaks in this ticket from now on.
 */
export async function followCustomer(
  scope: Scope,
  ticket: Pick<TicketDetail, 'id' | 'contactId'>,
): Promise<number | null> {
  const left = await scope.load(findRunsInClosedTickets, ticket.contactId)
  if (!left) return null
  await lockTicketOfRun(scope, left.ticketId)
  const run = await lockRun(scope, left.id)
  if (!run || run.ticketId !== left.ticketId || run.listensSince === null) return null
  await setSpeaker(scope, left.ticketId, null)
  await changeRun(scope, run.id, { ticketId: ticket.id, dueAt: run.waitsUntil })
  await setSpeaker(scope, ticket.id, run.id)
  return run.id
}

type LeftRun = { id: number; ticketId: number; contactId: number }
async function findRunsInClosedTickets(scope: Scope, contactIds: number[]): Promise<(LeftRun | undefined)[]> {
  const { rows } = await sql<LeftRun>`${keepPrepared}
    select r.id, r."ticketId", r."contactId" from "flowRuns" r
    join tickets t on t."companyId" = r."companyId" and t.id = r."ticketId" and t.status = 'closed' and t."flowRunId" = r.id
    where r."companyId" = ${scope.companyId} and r."contactId" = any(${contactIds}::int[])
      and r."endedAt" is null and r.state = 'waiting' and r."listensSince" is not null
    order by r.id`.execute(scope.db)
  const found = new Map(rows.map((row) => [row.contactId, row]))
  return contactIds.map((id) => found.get(id))
}

/** The answer ends the sequence, and is then a message like any other. */
async function endSequence(scope: Scope, run: StoredRun, position: string): Promise<null> {
  await endRun(scope, run, { position, reason: 'answered', isSpeaker: true })
  await recordFlowStep(scope, run.ticketId, flowStep('ended', run.flowName, { reason: 'answered' }))
  return null
}

/**
 * Starts the flows that wait for this message or for the ticket that it opened, so that they go before the menu. Returns
 * what happened if one of them speaks.
 */
export async function startFromMessage(
  scope: Scope,
  { flows }: Rulebook,
  { id }: Pick<TicketDetail, 'id'>,
): Promise<TicketEventStep | null> {
  if (!flows.some(({ triggers }) => triggers.includes('message') || triggers.includes('ticketOpened'))) return null
  const events = await takeTicketEvents(scope, id)
  const speaker = (await startRuns(scope, id, events)).find(({ speaks }) => speaks)
  return speaker ? flowStep('started', speaker.flowName) : null
}
