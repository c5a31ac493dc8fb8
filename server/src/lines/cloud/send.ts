import type { Scope } from '../../kernel/data/scope.ts'
import { LineBusy, LineRefusal, type LineRow, type OutboundMessage } from '../line.ts'
import { limits, lineTrouble, passes, reasonOf } from './failures.ts'
import { GraphRefusal, GraphSilence } from './graph.ts'
import type { CloudPace, Link, Up } from './link.ts'
import { payloadOf } from './payload.ts'
import { askedBefore, forgetAsked, markAsked, markSent, wamidOf } from './sends.ts'
import { makeThrottle } from './throttle.ts'

/**
 * Meta chooses the id of a message when it takes it, and knows none of ours: the same call twice is two messages. So
 * that nothing is said twice we write down that we ask before we ask. Whoever finds that mark without an answer, after
 * a crash or a lost connection, does not ask again: Meta's status carries our id and tells that it was taken. When none
 * comes in `settleMs` the message is shown as unsure, and a person decides.
 */
export function makeSend(scope: Scope, row: LineRow, link: Link, pace: CloudPace) {
  const throttle = makeThrottle()

  async function send(message: OutboundMessage): Promise<void> {
    const up = link.mustBeUp()
    const before = await askedBefore(scope, row.id, message.id)
    if (before?.wamid) return
    if (before) return settle(up, message, Date.parse(before.askedAt))
    const payload = await payloadOf(message, {
      up,
      ended: link.ended,
      wamidOf: (wid) => wamidOf(scope, row.id, wid),
    }).catch((error) => refused(error, message))
    await throttle.take()
    if (!(await markAsked(scope, row.id, message.id))) return settle(up, message, scope.now().getTime())
    await ask(up, message, payload)
  }

  async function ask({ graph, account }: Up, message: OutboundMessage, payload: object): Promise<void> {
    const said = await graph
      .post(`${account.phoneNumberId}/messages`, payload)
      .catch((error) => unanswered(error, message))
    throttle.worked(message.chat)
    await markSent(scope, row.id, message.id, idIn(said))
  }

  async function unanswered(error: unknown, message: OutboundMessage): Promise<never> {
    if (error instanceof GraphSilence && error.asked) {
      link.doubt()
      // On its way or not: only its status will tell.
      throw new LineBusy(error.message, pace.settleMs, true)
    }
    await forgetAsked(scope, row.id, message.id)
    return refused(error, message)
  }

  /** It was asked for and never answered: its status tells, or nobody does. */
  async function settle(up: Up, message: OutboundMessage, askedAt: number): Promise<void> {
    // What came while nobody was there to hear it, Meta tells again soon after we are back.
    const left = Math.max(askedAt, up.since) + pace.settleMs - scope.now().getTime()
    if (left > 0) throw new LineBusy('Meta has not said whether it took it', Math.max(left, 50), true)
    await forgetAsked(scope, row.id, message.id)
    throw new LineRefusal('unsure')
  }

  /** What Meta's no means: a pause, a line that does not work, or a message that never will. */
  function refused(error: unknown, { chat }: OutboundMessage): never {
    if (error instanceof GraphSilence) {
      link.lose('network')
      throw error
    }
    if (!(error instanceof GraphRefusal)) throw error
    const { fault, retryAfterMs } = error
    const limit = limits(fault.code)
    if (limit === 'chat') throw new LineBusy(error.message, throttle.refusedChat(chat, retryAfterMs), true)
    if (limit === 'line' || error.status === 429) throw new LineBusy(error.message, throttle.refusedLine(retryAfterMs))
    const trouble = lineTrouble(fault.code)
    if (trouble) {
      link.lose(trouble)
      throw error
    }
    if (passes(fault.code)) throw error
    throw new LineRefusal(reasonOf(fault))
  }

  return send
}

function idIn(said: unknown): string | null {
  const list = typeof said === 'object' && said !== null && 'messages' in said ? said.messages : null
  const first: unknown = Array.isArray(list) ? list[0] : null
  return typeof first === 'object' && first !== null && 'id' in first ? String(first.id) : null
}
