import { setTimeout as pause } from 'node:timers/promises'

/** Meta's own limit for a number; sending faster is answered with error 130429. */
export const maxMessagesPerSecond = 80
/** Meta advises a pause of 4^tries seconds for one customer. */
const chatPauseMs = (tries: number) => 4 ** Math.min(tries, 4) * 1000
const linePauseMs = (tries: number) => Math.min(60, 2 ** tries) * 1000
const burstMs = 250
/** Adds up to a quarter to a pause, so that lines that paused together do not resume together. */
const addJitter = (ms: number) => Math.round(ms * (1 + Math.random() / 4))

/** The sending rate of a number, and the pauses after Meta's rate limit errors. */
export function makeThrottle(perSecond = maxMessagesPerSecond) {
  let nextFreeAt = 0
  let lineRefusals = 0
  let lastPause = { until: 0, ms: 0 }
  const refusalsByChat = new Map<string, number>()

  return {
    /** Takes one slot of the sending rate, and waits if none is free. */
    async waitForSlot(now = performance.now()): Promise<void> {
      const at = Math.max(now, nextFreeAt)
      nextFreeAt = at + 1000 / perSecond
      // A small burst is allowed: Meta counts by the second, not by the message.
      const wait = at - now - burstMs
      if (wait > 0) await pause(wait)
    },
    /** How long to pause. `requestedMs`: the time that Meta requested, if any. */
    pauseLine(requestedMs: number | null, now = performance.now()): number {
      if (requestedMs !== null) return requestedMs
      // Messages that were being sent together are refused together: this counts as one refusal.
      if (now < lastPause.until) return lastPause.ms
      const ms = addJitter(linePauseMs(lineRefusals++))
      lastPause = { until: now + ms, ms }
      return ms
    },
    pauseChat(chat: string, requestedMs: number | null): number {
      const tries = refusalsByChat.get(chat) ?? 0
      // This limit is not reached in practice: it only bounds the size of the map.
      if (refusalsByChat.size > 1000) refusalsByChat.clear()
      refusalsByChat.set(chat, tries + 1)
      return requestedMs ?? addJitter(chatPauseMs(tries + 1))
    },
    recordSuccess(chat: string): void {
      lineRefusals = 0
      refusalsByChat.delete(chat)
    },
  }
}
export type Throttle = ReturnType<typeof makeThrottle>
