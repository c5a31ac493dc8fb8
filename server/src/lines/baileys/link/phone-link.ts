import { setTimeout as pause } from 'node:timers/promises'
import { jidDecode, type WASocket } from 'baileys'
import type { Scope } from '../../../kernel/data/scope.ts'
import { backoffMs } from '../../held-line.ts'
import type { LineState } from '../../line.ts'
import { defaultPastTimings, type PastTimings } from '../chats/past-messages.ts'
import { isDeviceLinked, loadCredentials, makeCredentialWriter } from '../keys/credentials.ts'
import type { KeyCache } from '../keys/key-cache.ts'
import { makeNamedTurns } from '../keys/session-turns.ts'
import { makeSignalKeys } from '../keys/signal-keys.ts'
import { type ConnectionEnd, decideAfterDisconnect, isWhatsAppCode } from './connection-end.ts'
import { deleteAllKeys, deleteExpiredKeys, isUnlinkRequested, loadPairingNumber } from './unlink.ts'
import type { WatchTimings } from './watchdog.ts'
import {
  type ConnectionDeps as ConnectionGiven,
  openWhatsAppConnection,
  type WhatsAppConnection,
} from './whatsapp-connection.ts'

/** `qrMs`: how long each QR code lives; default is the library's own (a minute, then twenty seconds each). */
export type LinkedTimings = {
  qrMs?: number
  reconnectMs: number
  slowReconnectMs: number
  unlinkTimeoutMs: number
  watch?: WatchTimings
} & PastTimings
export const defaultLinkedTimings: LinkedTimings = {
  reconnectMs: 1_000,
  slowReconnectMs: 60_000,
  unlinkTimeoutMs: 5_000,
  ...defaultPastTimings,
}

type PhoneLinkDeps = Omit<ConnectionGiven, 'creds' | 'keys' | 'turns'> & {
  scope: Scope
  cache: KeyCache
  pace: LinkedTimings
  /** A new socket, before it sends anything. */
  onSocketOpened(sock: WASocket): void
}

/** The life of a linked phone: linking, losing, reconnecting and unlinking it. */
export function makePhoneLink(given: PhoneLinkDeps) {
  const { scope, row, listener: ears, log, rows, cache, pace } = given
  let connection: WhatsAppConnection | undefined
  let isUp = false
  let drops = 0
  let timer: NodeJS.Timeout | undefined
  let turn: Promise<void> = Promise.resolve()
  const over = new AbortController()
  const turns = makeNamedTurns()

  const say = (state: LineState): Promise<void> => (over.signal.aborted ? Promise.resolve() : ears.reportState(state))
  /** Steps run one after another; one that fails is retried like a lost connection. */
  function next(step: () => Promise<void>): void {
    turn = turn
      .then(() => (over.signal.aborted ? undefined : step()))
      .catch((err) => {
        log.warn({ err, line: row.id }, 'a linked line stumbled')
        again('network', pace.reconnectMs)
      })
  }
  function again(reason: string, firstMs: number): void {
    if (over.signal.aborted) return
    const wait = backoffMs(Math.min(drops++, 6), firstMs)
    void say({ status: 'DISCONNECTED', reason, retries: drops })
    clearTimeout(timer)
    timer = setTimeout(() => next(begin), wait)
  }

  async function begin(): Promise<void> {
    await say({ status: 'OPENING', retries: drops })
    if (!over.signal.aborted) await connect()
  }

  /** Only a new start unlinks: a line about to be stopped would otherwise do so over the connection that failed. */
  async function beginAnew(): Promise<void> {
    if (await isUnlinkRequested(scope, row.id)) {
      await say({ status: 'OPENING' })
      await leave()
    }
    await begin()
  }

  async function connect(isLeavingOnly = false): Promise<WhatsAppConnection> {
    const creds = await loadCredentials(rows)
    const keeper = makeCredentialWriter(rows, creds, log)
    const keys = makeSignalKeys(rows, cache, row.id)
    const made = openWhatsAppConnection({ ...given, creds, keys, turns, qrMs: pace.qrMs, watch: pace.watch })
    connection = made
    const { sock } = made
    sock.ev.on('creds.update', keeper.update)
    const finished = made.ended.then(async (ended) => {
      const stood = isUp
      isUp = false
      await keeper.whenWritten().catch((err) => log.warn({ err, line: row.id }, 'credentials were not written'))
      return { ...ended, stood }
    })
    if (isLeavingOnly) return made
    given.onSocketOpened(sock)
    const codes = isDeviceLinked(creds) ? null : showCodes(sock)
    sock.ev.on('connection.update', ({ connection: state, isNewLogin }) => {
      if (isNewLogin) void say({ status: 'PAIRING' })
      if (state === 'open') next(() => stand(sock))
    })
    const wasLinked = isDeviceLinked(creds)
    void finished.then((ended) =>
      next(() => follow({ ...ended, codes: codes?.shown() ?? 0 }, wasLinked || isDeviceLinked(creds))),
    )
    return made
  }

  async function stand(sock: WASocket): Promise<void> {
    if (connection?.sock !== sock || !sock.ws.isOpen) return
    drops = 0
    isUp = true
    deleteExpiredKeys(scope, row.id).catch((err) => log.warn({ err, line: row.id }, 'keys were not tidied'))
    await say({ status: 'CONNECTED', number: jidDecode(sock.user?.id)?.user ?? '' })
  }

  /** Shows one QR code after another, and a pairing code if requested. */
  function showCodes(sock: WASocket): { shown(): number } {
    let shown = 0
    let came = 0
    let pairingCode = ''
    sock.ev.on('connection.update', ({ qr }) => {
      if (!qr) return
      came++
      next(async () => {
        const number = shown === 0 ? await loadPairingNumber(scope, row.id) : ''
        if (number) pairingCode = await sock.requestPairingCode(number)
        await say({ status: 'qrcode', qrcode: qr, pairingCode, retries: shown++ })
      })
    })
    return { shown: () => came }
  }

  async function follow(ended: ConnectionEnd & { stood: boolean; codes: number }, linked: boolean): Promise<void> {
    // The last QR code expired: the library ends with the code of any lost connection. If none came, WhatsApp was
    // unreachable.
    const ranOut = ended.codes > 0 && ended.code === 408 ? ('qr-timeout' as const) : undefined
    const unreached = ended.codes === 0 && !isWhatsAppCode(ended.code) ? ('unreachable' as const) : undefined
    const word = ended.cause ?? (linked ? undefined : (ranOut ?? unreached))
    const sequel = decideAfterDisconnect(word ? { ...ended, cause: word } : ended)
    log.info({ line: row.id, code: ended.code, word, next: sequel.next }, 'a linked line lost its connection')
    // Right after the phone accepted, it is part of pairing.
    if (sequel.next === 'now') return ended.stood ? begin() : void (await connect())
    if (sequel.next !== 'over')
      return again(sequel.reason, sequel.next === 'seldom' ? pace.slowReconnectMs : pace.reconnectMs)
    if (sequel.deletesKeys) await forget()
    await say({ status: sequel.status ?? 'DISCONNECTED', reason: sequel.reason, gaveUp: true })
  }

  async function forget(): Promise<void> {
    cache.deleteByPrefix(`${row.id}:`)
    await deleteAllKeys(scope, row.id)
  }

  /** Tells the phone and deletes the keys; a phone that cannot be reached finds out by itself. */
  async function leave(): Promise<void> {
    const creds = await loadCredentials(rows).catch(() => null)
    if (creds && isDeviceLinked(creds)) {
      const made = await connect(true)
      const opened = made.sock.waitForConnectionUpdate(
        async ({ connection: state }) => state === 'open',
        pace.unlinkTimeoutMs,
      )
      await Promise.race([opened, made.ended])
        .then(() => sayGoodbye(made))
        .catch(() => {})
      made.end()
      await made.ended
    }
    await forget()
  }
  /** WhatsApp closes the connection after the message; closing earlier could lose it. */
  async function sayGoodbye(made: WhatsAppConnection): Promise<void> {
    if (!made.sock.ws.isOpen) return
    const said = made.sock.logout().then(() => made.ended)
    await Promise.race([said, pause(pace.unlinkTimeoutMs)])
  }

  return {
    /** The socket, if it can carry messages. */
    requireSocket(): WASocket {
      if (!connection || !isUp || !connection.sock.ws.isOpen) throw new Error('the phone cannot be reached')
      return connection.sock
    },
    async open(): Promise<void> {
      const first = beginAnew()
      turn = first.catch(() => {})
      await first
    },
    async close(): Promise<void> {
      over.abort()
      clearTimeout(timer)
      await turn
      if (!connection) return
      if (isUp && (await isUnlinkRequested(scope, row.id).catch(() => false))) {
        await sayGoodbye(connection).catch(() => {})
        connection.end()
        await connection.ended
        return forget()
      }
      connection.end()
      await connection.ended
    },
  }
}
export type PhoneLink = ReturnType<typeof makePhoneLink>
