import type { Scope } from '../../kernel/data/scope.ts'
import { LineBusyError, LineRefusedError, type LineRow, type OutboundMessage } from '../line.ts'
import type { CloudLink, CloudSession, CloudTimings } from './cloud-link.ts'
import { findLineTrouble, formatFailureReason, isTransientFault, rateLimitScope } from './failures.ts'
import { GraphNoAnswerError, GraphRefusedError } from './graph-client.ts'
import { buildPayload } from './payload.ts'
import { deleteSendAttempt, findSendAttempt, findWamid, recordSendAttempt, recordSendResult } from './send-attempts.ts'
import { makeThrottle } from './throttle.ts'

/**
 * Meta chooses the id of a message when it takes it, and knows none of ours: the same call twice is two messages. So
 * that nothing is said twice we write down that we ask before we ask. Whoever finds that mark without an answer, after
 * a crash or a lost connection, does not ask again: Meta's status carries our id and tells that it was taken. When none
 * comes in `settleMs` the message is shown as unsure, and a person decides.
 */
export function makeCloudSend(scope: Scope, row: LineRow, link: CloudLink, pace: CloudTimings) {
  const throttle = makeThrottle()

  async function send(message: OutboundMessage): Promise<void> {
    const up = link.mustBeUp()
    const before = await findSendAttempt(scope, row.id, message.id)
    if (before?.wamid) return
    if (before) return settle(up, message, Date.parse(before.askedAt))
    const payload = await buildPayload(message, {
      up,
      ended: link.ended,
      wamidOf: (wid) => findWamid(scope, row.id, wid),
    }).catch((error) => refused(error, message))
    await throttle.take()
    if (!(await recordSendAttempt(scope, row.id, message.id))) return settle(up, message, scope.now().getTime())
    await ask(up, message, payload)
  }

  async function ask({ graph, account }: CloudSession, message: OutboundMessage, payload: object): Promise<void> {
    const said = await graph
      .post(`${account.phoneNumberId}/messages`, payload)
      .catch((error) => unanswered(error, message))
    throttle.worked(message.chat)
    await recordSendResult(scope, row.id, message.id, readWamid(said))
  }

  async function unanswered(error: unknown, message: OutboundMessage): Promise<never> {
    if (error instanceof GraphNoAnswerError && error.asked) {
      link.doubt()
      // On its way or not: only its status will tell.
      throw new LineBusyError(error.message, pace.settleMs, true)
    }
    await deleteSendAttempt(scope, row.id, message.id)
    return refused(error, message)
  }

  /** It was asked for and never answered: its status tells, or nobody does. */
  async function settle(up: CloudSession, message: OutboundMessage, askedAt: number): Promise<void> {
    // What came while nobody was there to hear it, Meta tells again soon after we are back.
    const left = Math.max(askedAt, up.since) + pace.settleMs - scope.now().getTime()
    if (left > 0) throw new LineBusyError('Meta has not said whether it took it', Math.max(left, 50), true)
    await deleteSendAttempt(scope, row.id, message.id)
    throw new LineRefusedError('unsure')
  }

  /** What Meta's no means: a pause, a line that does not work, or a message that never will. */
  function refused(error: unknown, { chat }: OutboundMessage): never {
    if (error instanceof GraphNoAnswerError) {
      link.lose('network')
      throw error
    }
    if (!(error instanceof GraphRefusedError)) throw error
    const { fault, retryAfterMs } = error
    const limit = rateLimitScope(fault.code)
    if (limit === 'chat') throw new LineBusyError(error.message, throttle.refusedChat(chat, retryAfterMs), true)
    if (limit === 'line' || error.status === 429)
      throw new LineBusyError(error.message, throttle.refusedLine(retryAfterMs))
    const trouble = findLineTrouble(fault.code)
    if (trouble) {
      link.lose(trouble)
      throw error
    }
    if (isTransientFault(fault.code)) throw error
    throw new LineRefusedError(formatFailureReason(fault))
  }

  return send
}

function readWamid(said: unknown): string | null {
  const list = typeof said === 'object' && said !== null && 'messages' in said ? said.messages : null
  const first: unknown = Array.isArray(list) ? list[0] : null
  return typeof first === 'object' && first !== null && 'id' in first ? String(first.id) : null
}
