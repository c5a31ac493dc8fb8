import { setTimeout as pause } from 'node:timers/promises'
import { jidDecode, type WASocket } from 'baileys'
import { backoffMs } from '../../held-line.ts'
import type { LineState } from '../../line.ts'
import { defaultPastTimings, type PastTimings } from '../chats/past-messages.ts'
import { isDeviceLinked, loadCredentials, makeCredentialWriter } from '../keys/credentials.ts'
import type { KeyCache } from '../keys/key-cache.ts'
import { makeNamedTurns } from '../keys/session-turns.ts'
import { makeSignalKeys } from '../keys/signal-keys.ts'
import { type ConnectionEnd, decideAfterDisconnect, isVersionRefused, isWhatsAppCode } from './connection-end.ts'
import { deleteAllKeys, deleteExpiredKeys, isUnlinkRequested, loadPairingNumber } from './unlink.ts'
import type { WatchTimings } from './watchdog.ts'
import { formatWebVersion, type WebVersion, type WebVersions } from './web-version.ts'
import {
  type ConnectionDeps as ConnectionGiven,
  openWhatsAppConnection,
  type WhatsAppConnection,
} from './whatsapp-connection.ts'

/** `qrMs`: how long each QR code is valid; the default is the library's (a minute, then twenty seconds each). */
export type LinkedTimings = {
  qrMs?: number
  reconnectMs: number
  slowReconnectMs: number
  unlinkTimeoutMs: number
  /** How often a line looks whether a person has signed with the passkey, in case a signal was lost. */
  passkeyPollMs: number
  watch?: WatchTimings
} & PastTimings
export const defaultLinkedTimings: LinkedTimings = {
  reconnectMs: 1_000,
  slowReconnectMs: 60_000,
  unlinkTimeoutMs: 5_000,
  passkeyPollMs: 2_000,
  ...defaultPastTimings,
}

type PhoneLinkDeps = Omit<
  ConnectionGiven,
  'creds' | 'keys' | 'turns' | 'version' | 'passkeyPollMs' | 'onPasskeyWait'
> & {
  cache: KeyCache
  pace: LinkedTimings
  versions: WebVersions
  /** Called with a new socket, before it sends anything. */
  onSocketOpened(sock: WASocket): void
}

/** The life cycle of a linked phone: linking, losing the connection, reconnecting and unlinking. */
export function makePhoneLink(deps: PhoneLinkDeps) {
  const { scope, row, listener, log, rows, cache, pace, versions } = deps
  let connection: WhatsAppConnection | undefined
  let isUp = false
  let dropCount = 0
  /** Whether the line has tried again since WhatsApp refused the version. */
  let hasRetriedVersion = false
  let timer: NodeJS.Timeout | undefined
  let lastStep: Promise<void> = Promise.resolve()
  const abort = new AbortController()
  const turns = makeNamedTurns()

  const reportState = (state: LineState): Promise<void> =>
    abort.signal.aborted ? Promise.resolve() : listener.reportState(state)
  /** Steps run one after another. A failed step is retried like a lost connection. */
  function enqueueStep(step: () => Promise<void>): void {
    lastStep = lastStep
      .then(() => (abort.signal.aborted ? undefined : step()))
      .catch((err) => {
        log.warn({ err, line: row.id }, 'a linked line failed')
        reconnectLater('network', pace.reconnectMs)
      })
  }
  function reconnectLater(reason: string, firstMs: number): void {
    if (abort.signal.aborted) return
    const wait = backoffMs(Math.min(dropCount++, 6), firstMs)
    void reportState({ status: 'DISCONNECTED', reason, retries: dropCount })
    clearTimeout(timer)
    timer = setTimeout(() => enqueueStep(openConnection), wait)
  }

  async function openConnection(): Promise<void> {
    await reportState({ status: 'OPENING', retries: dropCount })
    if (!abort.signal.aborted) await connect()
  }

  /**
   * Opens the connection of a newly started line. Only a new start unlinks: otherwise a line that is about to stop
   * would unlink over the connection that failed.
   */
  async function openFresh(): Promise<void> {
    if (await isUnlinkRequested(scope, row.id)) {
      await reportState({ status: 'OPENING' })
      await unlinkPhone()
    }
    await openConnection()
  }

  async function connect(isLeavingOnly = false): Promise<WhatsAppConnection> {
    const creds = await loadCredentials(rows)
    const credentialWriter = makeCredentialWriter(rows, creds, log)
    const keys = makeSignalKeys(rows, cache, row.id)
    const version = await versions.choose()
    const { qrMs, watch, passkeyPollMs } = pace
    const newConnection = openWhatsAppConnection({
      ...{ ...deps, creds, keys, turns, version, qrMs, watch, passkeyPollMs },
      onPasskeyWait: (reason) => enqueueStep(() => reportState({ status: 'PAIRING', reason })),
    })
    connection = newConnection
    const { sock } = newConnection
    sock.ev.on('creds.update', credentialWriter.update)
    const finished = newConnection.ended.then(async (ended) => {
      const stood = isUp
      isUp = false
      await credentialWriter
        .whenWritten()
        .catch((err) => log.warn({ err, line: row.id }, 'could not store the credentials'))
      return { ...ended, stood }
    })
    if (isLeavingOnly) return newConnection
    deps.onSocketOpened(sock)
    const codes = isDeviceLinked(creds) ? null : showCodes(sock)
    sock.ev.on('connection.update', ({ connection: state, isNewLogin }) => {
      if (isNewLogin) void reportState({ status: 'PAIRING' })
      if (state === 'open') enqueueStep(() => markConnected(sock, version))
    })
    const wasLinked = isDeviceLinked(creds)
    void finished.then((ended) =>
      enqueueStep(() =>
        handleDisconnect({ ...ended, codes: codes?.shown() ?? 0, version }, wasLinked || isDeviceLinked(creds)),
      ),
    )
    return newConnection
  }

  async function markConnected(sock: WASocket, version: WebVersion): Promise<void> {
    if (connection?.sock !== sock || !sock.ws.isOpen) return
    dropCount = 0
    hasRetriedVersion = false
    isUp = true
    versions
      .recordAccepted(version)
      .catch((err) => log.warn({ err, line: row.id }, 'could not record the accepted version'))
    deleteExpiredKeys(scope, row.id).catch((err) => log.warn({ err, line: row.id }, 'could not clean up the keys'))
    const number = jidDecode(sock.user?.id)?.user ?? ''
    const registeredAt = connection.registeredAt()
    await reportState({ status: 'CONNECTED', number, ...(registeredAt && { registeredAt }) })
  }

  /** Shows one QR code after another, and a pairing code if requested. */
  function showCodes(sock: WASocket): { shown(): number } {
    let shown = 0
    let qrCount = 0
    let pairingCode = ''
    sock.ev.on('connection.update', ({ qr }) => {
      if (!qr) return
      qrCount++
      enqueueStep(async () => {
        const number = shown === 0 ? await loadPairingNumber(scope, row.id) : ''
        if (number) pairingCode = await sock.requestPairingCode(number)
        await reportState({ status: 'qrcode', qrcode: qr, pairingCode, retries: shown++ })
      })
    })
    return { shown: () => qrCount }
  }

  /**
   * Looks for another version after a refusal. Without one the connection is tried once more all the same, because
   * WhatsApp also gives this code by mistake. After that the super user is told.
   */
  async function findOtherVersion(refused: WebVersion): Promise<boolean> {
    const next = await versions.lookUpAfterRefusal()
    if (formatWebVersion(next) !== formatWebVersion(refused) || !hasRetriedVersion) {
      hasRetriedVersion = true
      return true
    }
    await versions.recordRefused(refused)
    return false
  }

  async function handleDisconnect(
    ended: ConnectionEnd & { stood: boolean; codes: number; version: WebVersion },
    linked: boolean,
  ): Promise<void> {
    // When the last QR code has expired, the library ends with the same code as for a lost connection. If no QR code
    // came, WhatsApp was unreachable.
    const qrTimeoutCause = ended.codes > 0 && ended.code === 408 ? ('qr-timeout' as const) : undefined
    const unreachableCause = ended.codes === 0 && !isWhatsAppCode(ended.code) ? ('unreachable' as const) : undefined
    const word = ended.cause ?? (linked ? undefined : (qrTimeoutCause ?? unreachableCause))
    const decision = decideAfterDisconnect(word ? { ...ended, cause: word } : ended)
    log.info({ line: row.id, code: ended.code, word, next: decision.next }, 'a linked line lost its connection')
    if (isVersionRefused(ended) && (await findOtherVersion(ended.version))) return void (await connect())
    // Right after the phone accepted, this restart is part of pairing.
    if (decision.next === 'now') return ended.stood ? openConnection() : void (await connect())
    if (decision.next !== 'over')
      return reconnectLater(decision.reason, decision.next === 'seldom' ? pace.slowReconnectMs : pace.reconnectMs)
    if (decision.deletesKeys) await forget()
    await reportState({ status: decision.status ?? 'DISCONNECTED', reason: decision.reason, gaveUp: true })
  }

  async function forget(): Promise<void> {
    cache.deleteByPrefix(`${row.id}:`)
    await deleteAllKeys(scope, row.id)
  }

  /** Notifies the phone and deletes the keys. A phone that cannot be reached notices the unlinking by itself. */
  async function unlinkPhone(): Promise<void> {
    const creds = await loadCredentials(rows).catch(() => null)
    if (creds && isDeviceLinked(creds)) {
      const newConnection = await connect(true)
      const opened = newConnection.sock.waitForConnectionUpdate(
        async ({ connection: state }) => state === 'open',
        pace.unlinkTimeoutMs,
      )
      await Promise.race([opened, newConnection.ended])
        .then(() => sayGoodbye(newConnection))
        .catch(() => {})
      newConnection.end()
      await newConnection.ended
    }
    await forget()
  }
  /** Sends the unlink message. WhatsApp closes the connection after it; closing earlier could lose the message. */
  async function sayGoodbye(newConnection: WhatsAppConnection): Promise<void> {
    if (!newConnection.sock.ws.isOpen) return
    const logout = newConnection.sock.logout().then(() => newConnection.ended)
    await Promise.race([logout, pause(pace.unlinkTimeoutMs)])
  }

  return {
    /** The socket, if it is connected; throws otherwise. */
    requireSocket(): WASocket {
      if (!connection || !isUp || !connection.sock.ws.isOpen) throw new Error('the phone cannot be reached')
      return connection.sock
    },
    checkPasskey: (): void => connection?.checkPasskey(),
    async open(): Promise<void> {
      const first = openFresh()
      lastStep = first.catch(() => {})
      await first
    },
    async close(): Promise<void> {
      abort.abort()
      clearTimeout(timer)
      await lastStep
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
