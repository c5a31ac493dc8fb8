import type { AskStep, FlowStep, SayStep } from '@recado/contract/flows/flow-steps'
import type { ActStep, FlowOutcome } from '@recado/contract/flows/walk'
import { prepareSteps } from '@recado/contract/macros/prepare-steps'
import type { TicketDetail, TicketEventStep } from '@recado/contract/tickets'
import { addNote } from '../../../desk/notes.ts'
import { stoppedBotState } from '../../../desk/tickets/base/bot-state.ts'
import { notifyRouted } from '../../../desk/tickets/base/notices.ts'
import { presentTicket } from '../../../desk/tickets/base/ticket-view.ts'
import { startNextSegment, trackSegment } from '../../../desk/tickets/base/tracking.ts'
import { findClosingReasonOfQueue } from '../../../desk/tickets/closing/check-closing.ts'
import { noClosing } from '../../../desk/tickets/closing/closing.ts'
import {
  acceptTicket,
  changeTicket,
  endedByAutomation,
  moveToQueue,
  resolveTicket,
  transferTicket,
} from '../../../desk/tickets/lifecycle.ts'
import { setPriority } from '../../../desk/tickets/priority.ts'
import { snoozeLockedTicket } from '../../../desk/tickets/snooze.ts'
import { listSnoozeTimesOfQueue } from '../../../desk/tickets/snooze-times.ts'
import { changeTags } from '../../../desk/tickets/tags.ts'
import { assertTicketChange } from '../../../desk/tickets/ticket-changes.ts'
import { setContactField } from '../../../directory/contacts/contact-fields.ts'
import { findContact, updateContactRow } from '../../../directory/contacts/contact-store.ts'
import type { Scope } from '../../../kernel/data/scope.ts'
import { AppError } from '../../../kernel/errors.ts'
import { defaultQueueOf, loadRulebook } from '../../rulebook.ts'
import { flowStep, recordFlowStep } from '../runs/run-rows.ts'
import { type FlowAct, fillText } from './flow-act.ts'
import { startOtherFlow, stopSequences } from './other-flows.ts'
import { composeQuestion, composeSay, fillMessage, findSilenceReason, sendContents } from './speak.ts'

/** The longest note and the longest value of a custom field. */
const maxNoteCharacters = 2000
const maxFieldCharacters = 1000

type StepOf<Kind extends FlowStep['kind']> = Extract<FlowStep, { kind: Kind }>
/** What was done, for the ticket's history. */
type Done = { why: string; details?: TicketEventStep['with'] }

/**
 * Performs a step of a flow, in the transaction of its run, with the ticket locked. An `AppError` says that the step
 * cannot be done.
 */
export async function performAct(scope: Scope, act: FlowAct): Promise<FlowOutcome> {
  const ticket = await presentTicket(scope, act.ticketId)
  const { why, details } = await perform(scope, ticket, act)
  await recordFlowStep(scope, ticket.id, flowStep(why, act.flowName, details))
  return { kind: 'done' }
}

const withStep = <Step extends ActStep | AskStep>(act: FlowAct, step: Step): FlowAct<Step> => ({ ...act, step })

function perform(scope: Scope, ticket: TicketDetail, act: FlowAct): Promise<Done> {
  const { step } = act
  switch (step.kind) {
    case 'say':
      return say(scope, ticket, withStep(act, step))
    case 'ask':
      return ask(scope, ticket, withStep(act, step))
    case 'tags':
      return setTags(scope, ticket, step)
    case 'priority':
      return prioritize(scope, ticket, step)
    case 'queue':
      return moveTicket(scope, ticket, step)
    case 'assign':
      return assign(scope, ticket, step)
    case 'note':
      return note(scope, ticket, withStep(act, step))
    case 'snooze':
      return snooze(scope, ticket, withStep(act, step))
    case 'resolve':
      return resolve(scope, ticket, step)
    case 'person':
      return handOver(scope, ticket, withStep(act, step))
    case 'setField':
      return setField(scope, ticket, withStep(act, step))
    case 'start':
      return startOtherFlow(scope, ticket, withStep(act, step))
    case 'stop':
      return stopSequences(scope, ticket, withStep(act, step))
    case 'respond':
    case 'call':
      throw new Error('the engine performs it outside of a transaction')
  }
}

async function say(scope: Scope, ticket: TicketDetail, act: FlowAct<SayStep>): Promise<Done> {
  const reason = await findSilenceReason(scope, ticket, act)
  if (reason !== null && reason !== 'window-closed') return { why: 'not-said', details: { reason } }
  const contents = await composeSay(scope, ticket, act, reason === 'window-closed')
  await sendContents(scope, ticket, contents, act)
  return contents.length ? { why: 'said' } : { why: 'not-said', details: { reason: 'no-text' } }
}

/** A question that nobody gets has no answer to wait for: the step fails. */
async function ask(scope: Scope, ticket: TicketDetail, act: FlowAct<AskStep>): Promise<Done> {
  const reason = await findSilenceReason(scope, ticket, act)
  if (reason === 'window-closed') throw new AppError('ERR_WINDOW_CLOSED')
  if (reason !== null) throw new AppError('ERR_FLOW_CONTACT_SILENT')
  await sendContents(scope, ticket, await composeQuestion(scope, act), act)
  return { why: 'asked' }
}

async function setTags(scope: Scope, ticket: TicketDetail, { add, remove }: StepOf<'tags'>): Promise<Done> {
  await assertTicketChange(scope, { kind: 'tags', add, remove })
  const before = ticket.tags.map(({ id }) => id)
  const after = [...before.filter((id) => !remove.includes(id)), ...add]
  const { tags } = await changeTags(scope, ticket, { remove: 'all', add: after }, { why: 'by-machine' })
  const added = tags.filter(({ id }) => !before.includes(id))
  const removed = ticket.tags.filter(({ id }) => !after.includes(id))
  return { why: 'tagged', details: { added: joinNames(added), removed: joinNames(removed) } }
}
const joinNames = (all: { name: string }[]): string => all.map(({ name }) => name).join(', ')

async function prioritize(scope: Scope, ticket: TicketDetail, { priority }: StepOf<'priority'>): Promise<Done> {
  await setPriority(scope, ticket, { priority })
  return { why: 'prioritized', details: { priority } }
}

function assertNotClosed({ status }: TicketDetail): void {
  if (status === 'closed') throw new AppError('ERR_TICKET_NOT_OPEN')
}

async function moveTicket(scope: Scope, ticket: TicketDetail, { queueId }: StepOf<'queue'>): Promise<Done> {
  assertNotClosed(ticket)
  if (queueId === null) throw new AppError('ERR_QUEUE_NOT_FOUND')
  const after = queueId === ticket.queueId ? ticket : await putInQueue(scope, ticket, queueId)
  return { why: 'moved', details: { queue: after.queue?.name ?? null } }
}

/** A ticket of an agent waits in the new queue; one that waits keeps its place. */
const putInQueue = (scope: Scope, ticket: TicketDetail, queueId: number): Promise<TicketDetail> =>
  ticket.status === 'open'
    ? transferTicket(scope, ticket, { queueId }, 'by-machine')
    : moveToQueue(scope, ticket, queueId, 'by-machine')

async function assign(scope: Scope, ticket: TicketDetail, { userId }: StepOf<'assign'>): Promise<Done> {
  assertNotClosed(ticket)
  const wanted = userId === 'owner' ? ticket.contact.ownerId : userId
  if (wanted === null) throw new AppError('ERR_NO_USER_FOUND')
  if (wanted === ticket.userId) return { why: 'assigned', details: { user: ticket.user?.name ?? null } }
  const after =
    ticket.status === 'pending'
      ? await acceptTicket(scope, ticket, wanted, { why: 'by-machine' })
      : await transferTicket(scope, ticket, { userId: wanted }, 'by-machine')
  await notifyRouted(scope, after)
  return { why: 'assigned', details: { user: after.user?.name ?? null } }
}

async function note(scope: Scope, ticket: TicketDetail, act: FlowAct<StepOf<'note'>>): Promise<Done> {
  const text = fillText(act, act.step.text).slice(0, maxNoteCharacters)
  if (text) await addNote(scope, ticket, text, act.step.mentions, { id: null, name: act.flowName })
  return { why: 'noted' }
}

async function snooze(scope: Scope, ticket: TicketDetail, act: FlowAct<StepOf<'snooze'>>): Promise<Done> {
  const { until, hours, wakesOnMessage } = act.step
  const [prepared] = prepareSteps([{ kind: 'snooze', until, hours, wakesOnMessage, note: '' }], {
    me: 0,
    now: scope.now().getTime(),
    times: until === 'tomorrow' || until === 'nextWeek' ? await listSnoozeTimesOfQueue(scope, ticket.queueId) : null,
    fillVariables: (text) => text,
  })
  if (prepared?.kind !== 'snooze') throw new Error('a snooze stays a snooze')
  await snoozeLockedTicket(scope, ticket, { ...prepared, note: fillText(act, act.step.note).slice(0, 200) })
  return { why: 'snoozed', details: { until: prepared.until } }
}

async function resolve(scope: Scope, ticket: TicketDetail, { closingReasonId }: StepOf<'resolve'>): Promise<Done> {
  const reason =
    closingReasonId === null ? null : await findClosingReasonOfQueue(scope, ticket.queueId, closingReasonId)
  await resolveTicket(scope, ticket, endedByAutomation, { ...noClosing, reason })
  return { why: 'resolved', details: { reason: reason?.name ?? null } }
}

/** The ticket waits for people. One that a person has stays with them, unless it is for another queue. */
async function handOver(scope: Scope, ticket: TicketDetail, act: FlowAct<StepOf<'person'>>): Promise<Done> {
  assertNotClosed(ticket)
  const after = await releaseToPeople(scope, ticket, act.step.queueId)
  const text = fillMessage(act, act.step.text)
  const isSaid = text !== '' && (await findSilenceReason(scope, after, act)) === null
  if (isSaid) await sendContents(scope, after, [{ body: text }], act)
  return { why: 'handed-over', details: { queue: after.queue?.name ?? null, isSaid } }
}

async function releaseToPeople(scope: Scope, ticket: TicketDetail, wanted: number | null): Promise<TicketDetail> {
  if (ticket.status === 'open')
    return wanted === null || wanted === ticket.queueId ? ticket : putInQueue(scope, ticket, wanted)
  const line = (await loadRulebook(scope)).lines.get(ticket.whatsappId ?? 0)
  const queueId = wanted ?? ticket.queueId ?? (line ? defaultQueueOf(line) : null)
  const after = await changeTicket(scope, ticket, { queueId, ...stoppedBotState })
  if (ticket.chatbot) await startNextSegment(scope, after, 'bot', { queuedAt: scope.now() })
  else await trackSegment(scope, after, {})
  return after
}

async function setField(scope: Scope, ticket: TicketDetail, act: FlowAct<StepOf<'setField'>>): Promise<Done> {
  const { field: name } = act.step
  const value = fillText(act, act.step.value).slice(0, maxFieldCharacters)
  await findContact(scope, ticket.contactId)
  if (!(await setContactField(scope, ticket.contactId, { name, value }))) throw new AppError('ERR_LIST_FULL')
  await updateContactRow(scope, ticket.contactId, {})
  return { why: 'field-set', details: { field: name, value } }
}
