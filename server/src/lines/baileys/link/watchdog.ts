import type { WASocket } from 'baileys'

/** Detects a dead network: after `quietMs` of silence we ping, and after `answerMs` without an answer it is dead. */
export const defaultWatchTimings = { quietMs: 7_000, answerTimeoutMs: 7_000, pollMs: 1_500 }
export type WatchTimings = typeof defaultWatchTimings

/** Calls `dead` once when the other side has stopped answering, also before the connection opened. */
export function watchConnection(
  sock: WASocket,
  dead: () => void,
  { quietMs, answerTimeoutMs: answerMs, pollMs: lookMs }: WatchTimings = defaultWatchTimings,
): () => void {
  let heardAt = performance.now()
  let askedAt: number | null = null
  let lookedAt = heardAt
  const heard = () => {
    heardAt = performance.now()
    askedAt = null
  }
  sock.ws.on('frame', heard)
  sock.ws.on('open', heard)
  const looks = setInterval(() => {
    const now = performance.now()
    // If our own process was suspended, the answer may be waiting unread.
    if (now - lookedAt > 3 * lookMs && askedAt !== null) askedAt = now
    lookedAt = now
    if (askedAt !== null && now - askedAt > answerMs) {
      stop()
      return dead()
    }
    if (askedAt !== null || now - heardAt < quietMs) return
    askedAt = now
    const ping = {
      tag: 'iq',
      attrs: { id: sock.generateMessageTag(), to: 's.whatsapp.net', type: 'get', xmlns: 'w:p' },
    }
    if (sock.ws.isOpen) sock.sendNode({ ...ping, content: [{ tag: 'ping', attrs: {} }] }).catch(() => {})
  }, lookMs)
  function stop(): void {
    clearInterval(looks)
    sock.ws.off('frame', heard)
    sock.ws.off('open', heard)
  }
  return stop
}
