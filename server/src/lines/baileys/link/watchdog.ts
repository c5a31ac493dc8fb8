import type { WASocket } from 'baileys'

/** Detects a dead network: pings after `quietMs` of silence; no answer within `answerTimeoutMs` means it is dead. */
export const defaultWatchTimings = { quietMs: 7_000, answerTimeoutMs: 7_000, pollMs: 1_500 }
export type WatchTimings = typeof defaultWatchTimings

/** Calls `dead` once when WhatsApp has stopped answering, even before the connection is open. */
export function watchConnection(
  sock: WASocket,
  onDead: () => void,
  { quietMs, answerTimeoutMs, pollMs }: WatchTimings = defaultWatchTimings,
): () => void {
  let lastFrameAt = performance.now()
  let pingedAt: number | null = null
  let polledAt = lastFrameAt
  const onFrame = () => {
    lastFrameAt = performance.now()
    pingedAt = null
  }
  sock.ws.on('frame', onFrame)
  sock.ws.on('open', onFrame)
  const timer = setInterval(() => {
    const now = performance.now()
    // If our own process was suspended, the answer may have arrived and not been read yet.
    if (now - polledAt > 3 * pollMs && pingedAt !== null) pingedAt = now
    polledAt = now
    if (pingedAt !== null && now - pingedAt > answerTimeoutMs) {
      stop()
      return onDead()
    }
    if (pingedAt !== null || now - lastFrameAt < quietMs) return
    pingedAt = now
    const ping = {
      tag: 'iq',
      attrs: { id: sock.generateMessageTag(), to: 's.whatsapp.net', type: 'get', xmlns: 'w:p' },
    }
    if (sock.ws.isOpen) sock.sendNode({ ...ping, content: [{ tag: 'ping', attrs: {} }] }).catch(() => {})
  }, pollMs)
  function stop(): void {
    clearInterval(timer)
    sock.ws.off('frame', onFrame)
    sock.ws.off('open', onFrame)
  }
  return stop
}
