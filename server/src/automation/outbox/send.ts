import { lineTraits } from '@recado/contract/line-traits'
import { nextCampaignHours } from '../../desk/campaigns/send.ts'
import { addLineTask, type LineTask } from '../../desk/messages/line-tasks.ts'
import {
  claimNextMessage,
  findNextHeldUntil,
  type OutgoingMessage,
  storeSendResult,
  unclaimMessage,
} from '../../desk/messages/outgoing.ts'
import { publishChangedMessages } from '../../desk/messages/store.ts'
import { notifyUnsent } from '../../desk/tickets/base/notices.ts'
import { minutes } from '../../kernel/clock.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { runWithTrace } from '../../kernel/trace.ts'
import { type Line, LineBusyError, LineLockedError, LineRefusedError, type LineRow } from '../../lines/line.ts'
import { chatIdOf } from './chat.ts'
import { toOutboundMessage } from './outbound.ts'
import {
  coldBefore,
  countColdRefusal,
  countColdSend,
  gateCheckAt,
  isHeldBack,
  type PacingGate,
  publishGateOpened,
  showTypingBeforeSend,
} from './pacing.ts'
import { runLanesInParallel } from './parallel-lanes.ts'
import type { WorkerRound } from './worker.ts'

/** A message that a connected line fails to send for this long is given up, so that it does not block the rest. */
const sendTimeoutMs = minutes(1)
/**
 * Failing messages and the time of their first failure, while the same line runs; and until when the vendor wants the
 * line or some contacts to pause.
 */
export type SendState = {
  failingSince: Map<number, number>
  pausedUntil: number
  restingUntil: Map<number, number>
  /** Messages for which the typing indicator was already shown. */
  typingShown: Set<number>
  gate: PacingGate
  /** Until when messages of campaigns wait, because the campaign hours are closed. */
  bulkShutUntil: number
  /** Called with the result of each message: the reason of a refusal, or null. */
  onResult(id: number, error: string | null): void
}

/** Sends queued messages. A refused message is marked and the next is sent; a broken line stops and keeps the rest. */
export async function sendQueuedMessages(
  deps: Deps,
  row: LineRow,
  line: Line,
  sendState: SendState,
  { signal: ended, whenWoken: woken, wakeAfter }: WorkerRound,
): Promise<number | null> {
  const scope = new Scope(deps, { companyId: row.companyId })
  const { gate } = sendState
  const pauseLeftMs = () => sendState.pausedUntil - deps.clock.now().getTime()
  // A new message woke the worker, but the pause is not over.
  if (pauseLeftMs() > 0) return pauseLeftMs()
  await runLanesInParallel<OutgoingMessage>({
    ...{ signal: ended, whenWoken: woken, maxParallel: lineTraits[row.provider].atOnce },
    laneOf: ({ contactId }) => contactId,
    async takeNext(underWay) {
      const now = scope.now()
      const others = [...clearEndedRests(deps, sendState).keys(), ...underWay]
      const { window: hasWindow, paced: isPaced } = lineTraits[row.provider]
      return claimNextMessage(deps, row, {
        others,
        hasWindow,
        isPaced,
        coldBefore: coldBefore(gate, now),
        bulkWait: isBulkShut(sendState, now),
        now,
      })
    },
    process: (message) => runWithTrace(message.trace, () => sendOne(message)),
  })
  return pauseLeftMs() > 0 ? pauseLeftMs() : msUntilNextSend(scope, row, sendState)

  async function sendOne(message: OutgoingMessage): Promise<boolean> {
    if (message.isBulk && !message.isDeleted && (await isOutsideCampaignHours(scope, sendState, message.id)))
      return true
    if (message.isCold && !message.isDeleted) {
      if (await isHeldBack(scope, row, gate, message)) return true
      await showTypingBeforeSend(line, chatIdOf(message, row.provider), message.body, gate, ended)
    }
    if (startTypingFirst(deps, row, line, message, sendState, wakeAfter)) return true
    const outcome = message.isDeleted ? 'deleted' : await attemptSend(deps, row, line, message, sendState)
    if (outcome instanceof LineLockedError) return handleLock(message)
    if (!(outcome instanceof LineBusyError)) {
      if (!message.isDeleted) sendState.onResult(message.id, outcome)
      await scope.transaction((tx) => handleSendResult(tx, row, message, outcome))
    } else if (outcome.isChatOnly) {
      sendState.restingUntil.set(message.contactId, deps.clock.now().getTime() + outcome.retryAfterMs)
      wakeAfter(outcome.retryAfterMs)
    } else sendState.pausedUntil = Math.max(sendState.pausedUntil, deps.clock.now().getTime() + outcome.retryAfterMs)
    return pauseLeftMs() <= 0
  }

  /**
   * WhatsApp has locked the line: the message waits with all others to strangers. If it goes to an acquaintance, or the lock
   * ended meanwhile, waiting would repeat it at once: it is refused.
   */
  async function handleLock(message: OutgoingMessage): Promise<boolean> {
    if (message.isStranger && (await isHeldBack(scope, row, gate, message))) return true
    sendState.onResult(message.id, 'restricted')
    await scope.transaction((tx) => handleSendResult(tx, row, message, 'restricted'))
    return true
  }
}

/** The campaign hours are read again this often, because an admin may change them meanwhile. */
const campaignHoursPollMs = minutes(1)
const isBulkShut = ({ bulkShutUntil }: SendState, now: Date): boolean => bulkShutUntil > now.getTime()

/**
 * Whether the campaign hours closed while the message waited in the outbox. The message then waits until they open
 * again.
 */
async function isOutsideCampaignHours(scope: Scope, sendState: SendState, id: number): Promise<boolean> {
  const opensAt = await nextCampaignHours(scope)
  if (!opensAt) return false
  sendState.bulkShutUntil = Math.min(opensAt.getTime(), scope.now().getTime() + campaignHoursPollMs)
  await unclaimMessage(scope, id)
  return true
}

/** Whether the typing indicator must be shown first. This conversation pauses meanwhile, and others continue. */
function startTypingFirst(
  deps: Deps,
  row: LineRow,
  line: Line,
  message: OutgoingMessage,
  { typingShown: typed, restingUntil: resting }: SendState,
  wakeAfter: WorkerRound['wakeAfter'],
): boolean {
  const ms = message.sendAs?.typeMs
  if (!ms || message.isDeleted || typed.delete(message.id)) return false
  typed.add(message.id)
  // If the typing indicator cannot be shown, the pause is kept all the same.
  if (!line.unsupported.includes('typing')) line.setTyping(chatIdOf(message, row.provider), true).catch(() => {})
  resting.set(message.contactId, deps.clock.now().getTime() + ms)
  wakeAfter(ms)
  return true
}

/** Milliseconds until the next paused contact may be written to, or the next held message may be sent. */
async function msUntilNextSend(scope: Scope, row: LineRow, sendState: SendState): Promise<number | null> {
  const { restingUntil: resting, gate, bulkShutUntil } = sendState
  const now = scope.now()
  const checkAt = gateCheckAt(gate, now)
  if (checkAt === null) await publishGateOpened(scope, row, gate)
  const heldUntil = await findNextHeldUntil(scope, row.id)
  const moments = [
    ...resting.values(),
    ...(checkAt === null ? [] : [checkAt]),
    ...(heldUntil ? [heldUntil.getTime()] : []),
    ...(isBulkShut(sendState, now) ? [bulkShutUntil] : []),
  ]
  return moments.length ? Math.max(10, Math.min(...moments) - now.getTime()) : null
}

/** Removes expired pauses, so that messages to those contacts are sent again. */
function clearEndedRests(deps: Deps, { restingUntil: resting }: SendState): SendState['restingUntil'] {
  const now = deps.clock.now().getTime()
  for (const [contactId, until] of resting) if (until <= now) resting.delete(contactId)
  return resting
}

/** The reason of a refusal, null on success, or a pause requested by the vendor. */
async function attemptSend(
  deps: Deps,
  row: LineRow,
  line: Line,
  message: OutgoingMessage,
  sendState: SendState,
): Promise<string | null | LineBusyError | LineLockedError> {
  // A text outside the 24-hour window is not sent: the vendor would refuse it, and it must not wait for ever.
  const { windowEndsAt, sendAs } = message
  if (windowEndsAt && !sendAs?.template && Date.parse(windowEndsAt) <= deps.clock.now().getTime())
    return 'window-closed'
  try {
    await line.send(toOutboundMessage(deps, row, message))
    sendState.failingSince.delete(message.id)
    return null
  } catch (error) {
    if (error instanceof LineRefusedError) return error.reason
    if (error instanceof LineBusyError || error instanceof LineLockedError) return error
    const now = deps.clock.now().getTime()
    const since = sendState.failingSince.get(message.id) ?? now
    sendState.failingSince.set(message.id, since)
    if (now - since < sendTimeoutMs) throw error
    sendState.failingSince.delete(message.id)
    return 'unreachable'
  }
}

/** Records the result of a send. */
async function handleSendResult(
  scope: Scope,
  row: LineRow,
  message: OutgoingMessage,
  error: string | null,
): Promise<void> {
  const { id, wid, contactId } = message
  const now = await storeSendResult(scope, id, error)
  if (message.isCold && !error) await countColdSend(scope, row, message)
  if (message.isCold && error) await countColdRefusal(scope, row, error)
  if (!now) return
  // The message was deleted while it was being sent: revoke it, because it may have arrived.
  if (now.isDeleted) await addLineTask(scope, row.id, { kind: 'revoke', contactId, wid })
  // The message was edited while it was being sent, or before a repeated send: a phone that already has it
  // keeps the first text.
  else if (!error && (message.isEdited || now.body !== message.body))
    await addLineTask(scope, row.id, editTask(message, now.body))
  await publishChangedMessages(scope, [id])
  if (error) await notifyUnsent(scope, [id])
}

const editTask = ({ contactId, wid, body }: OutgoingMessage, now: string): LineTask => ({
  kind: 'edit',
  contactId,
  wid,
  body: now,
  was: { body, isEdited: false },
})
