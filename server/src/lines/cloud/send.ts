import type { Scope } from '../../kernel/data/scope.ts'
import { LineBusyError, LineRefusedError, type LineRow, type OutboundMessage } from '../line.ts'
import type { CloudLink, CloudSession, CloudTimings } from './cloud-link.ts'
import { findLineTrouble, formatFailureReason, isTransientFault, rateLimitScope } from './failures.ts'
import { GraphNoAnswerError, GraphRefusedError } from './graph-client.ts'
import { buildPayload } from './payload.ts'
import { deleteSendAttempt, findSendAttempt, findWamid, recordSendAttempt, recordSendResult } from './send-attempts.ts'
import { makeThrottle } from './throttle.ts'

/**
 * Meta chooses the id of a message when it accepts it, and does not use ours: the same call twice gives two messages. To
 * send nothing twice, the attempt is recorded before the call. An attempt without an answer, after a crash or a lost
 * connection, is not repeated: Meta's status carries our id and proves that the message was accepted. If no status comes
 * within `settleMs`, the message is shown as unsure, and a user decides.
 */
export function makeCloudSend(scope: Scope, row: LineRow, link: CloudLink, pace: CloudTimings) {
  const throttle = makeThrottle()

  async function send(message: OutboundMessage): Promise<void> {
    const session = link.requireSession()
    const attempt = await findSendAttempt(scope, row.id, message.id)
    if (attempt?.wamid) return
    if (attempt) return awaitStatus(session, message, Date.parse(attempt.askedAt))
    const payload = await buildPayload(message, {
      session: session,
      signal: link.ended,
      wamidOf: (wid) => findWamid(scope, row.id, wid),
    }).catch((error) => throwRefusal(error, message))
    await throttle.waitForSlot()
    if (!(await recordSendAttempt(scope, row.id, message.id)))
      return awaitStatus(session, message, scope.now().getTime())
    await postMessage(session, message, payload)
  }

  async function postMessage(
    { graph, account }: CloudSession,
    message: OutboundMessage,
    payload: object,
  ): Promise<void> {
    const reply = await graph
      .post(`${account.phoneNumberId}/messages`, payload)
      .catch((error) => handlePostError(error, message))
    throttle.recordSuccess(message.chat)
    await recordSendResult(scope, row.id, message.id, readWamid(reply))
  }

  async function handlePostError(error: unknown, message: OutboundMessage): Promise<never> {
    if (error instanceof GraphNoAnswerError && error.maybeReceived) {
      link.recheck()
      // The message may have been sent; only its status will show it.
      throw new LineBusyError(error.message, pace.settleMs, true)
    }
    await deleteSendAttempt(scope, row.id, message.id)
    return throwRefusal(error, message)
  }

  /**
   * Waits for the status of a message that Meta was asked to send and never answered: only the status shows whether it
   * was sent.
   */
  async function awaitStatus(session: CloudSession, message: OutboundMessage, askedAt: number): Promise<void> {
    // After downtime Meta soon resends the statuses that it could not deliver, so this waits for them before deciding.
    const remainingMs = Math.max(askedAt, session.since) + pace.settleMs - scope.now().getTime()
    if (remainingMs > 0) throw new LineBusyError('Meta has not confirmed the message', Math.max(remainingMs, 50), true)
    await deleteSendAttempt(scope, row.id, message.id)
    throw new LineRefusedError('unsure')
  }

  /** Throws what Meta's refusal means: a pause, a line that does not work, or a message that can never be sent. */
  function throwRefusal(error: unknown, { chat }: OutboundMessage): never {
    if (error instanceof GraphNoAnswerError) {
      link.markLost('network')
      throw error
    }
    if (!(error instanceof GraphRefusedError)) throw error
    const { fault, retryAfterMs } = error
    const limit = rateLimitScope(fault.code)
    if (limit === 'chat') throw new LineBusyError(error.message, throttle.pauseChat(chat, retryAfterMs), true)
    if (limit === 'line' || error.status === 429)
      throw new LineBusyError(error.message, throttle.pauseLine(retryAfterMs))
    const trouble = findLineTrouble(fault.code)
    if (trouble) {
      link.markLost(trouble)
      throw error
    }
    if (isTransientFault(fault.code)) throw error
    throw new LineRefusedError(formatFailureReason(fault))
  }

  return send
}

function readWamid(reply: unknown): string | null {
  const list = typeof reply === 'object' && reply !== null && 'messages' in reply ? reply.messages : null
  const first: unknown = Array.isArray(list) ? list[0] : null
  return typeof first === 'object' && first !== null && 'id' in first ? String(first.id) : null
}
