import { initAuthCreds, makeWASocket } from 'baileys'
import type { Log } from '../../../kernel/log.ts'
import { patchLibrary } from './library-patches.ts'
import { makeQuietLog } from './quiet-log.ts'
import type { WebVersion } from './web-version.ts'

export type VersionTrial = 'accepted' | 'refused' | 'unreachable'

const trialTimeoutMs = 10_000
const tooOldCodes = [405, 409]

/**
 * Opens a connection as a device that nobody has linked yet. WhatsApp offers a QR code to a version that it accepts, and
 * refuses one that is too old before that. Nothing is stored, and no number is involved.
 */
export function tryWebVersion(url: string, version: WebVersion, log: Log): Promise<VersionTrial> {
  patchLibrary()
  const { promise, resolve } = Promise.withResolvers<VersionTrial>()
  const sock = makeWASocket({
    auth: { creds: initAuthCreds(), keys: { get: async () => ({}), set: async () => {} } },
    logger: makeQuietLog(log, 0),
    waWebSocketUrl: url,
    version,
    connectTimeoutMs: trialTimeoutMs,
  })
  sock.ev.on('connection.update', ({ connection, qr, lastDisconnect }) => {
    if (qr) resolve('accepted')
    if (connection !== 'close') return
    const { output } = (lastDisconnect?.error ?? {}) as { output?: { statusCode?: number } }
    resolve(tooOldCodes.includes(output?.statusCode ?? 0) ? 'refused' : 'unreachable')
  })
  // The library does not handle an HTTP refusal and would wait for ever.
  sock.ws.on('unexpected-response', () => resolve('unreachable'))
  const timer = setTimeout(() => resolve('unreachable'), trialTimeoutMs)
  return promise.finally(() => {
    clearTimeout(timer)
    const { socket } = sock.ws as unknown as { socket: { terminate(): void } | null }
    socket?.terminate()
    return sock.end(undefined)
  })
}
