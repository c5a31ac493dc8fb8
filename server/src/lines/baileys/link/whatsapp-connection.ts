import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import {
  type AuthenticationCreds,
  type BinaryNode,
  Browsers,
  DEFAULT_CONNECTION_CONFIG,
  DisconnectReason,
  isJidBroadcast,
  isJidNewsletter,
  isJidStatusBroadcast,
  makeWASocket,
  proto,
  type SocketConfig,
  type WASocket,
} from 'baileys'
import type { Scope } from '../../../kernel/data/scope.ts'
import type { Log } from '../../../kernel/log.ts'
import type { LineListener, LineRow } from '../../line.ts'
import { makeInboundPipeline } from '../inbound/inbound-pipeline.ts'
import type { MessageInterpreter } from '../inbound/message-interpreter.ts'
import type { UnreadableGuard } from '../inbound/unreadable-guard.ts'
import type { KeyRows } from '../keys/key-rows.ts'
import { type NamedTurns, serializeSessionAccess } from '../keys/session-turns.ts'
import type { SignalKeys } from '../keys/signal-keys.ts'
import type { WatchedStore } from '../keys/watched-store.ts'
import type { ConnectionEnd } from './connection-end.ts'
import { makePasskeyLink, type PasskeyWait } from './passkey-link.ts'
import { showQrCodes } from './qr-codes.ts'
import { makeQuietLog } from './quiet-log.ts'
import { type WatchTimings, watchConnection } from './watchdog.ts'
import type { WebVersion } from './web-version.ts'

export type ConnectionDeps = {
  scope: Scope
  row: LineRow
  listener: LineListener
  log: Log
  creds: AuthenticationCreds
  keys: SignalKeys
  /**
   * The turns belong to the line, not to the connection: work of the previous connection finishes before work of this
   * one.
   */
  turns: NamedTurns
  version: WebVersion
  rows: KeyRows
  store: WatchedStore
  makeInterpreter(sock: () => WASocket): MessageInterpreter
  unreadable: UnreadableGuard
  /** A URL other than WhatsApp's own, for tests. */
  url?: string | undefined
  qrMs?: number | undefined
  watch?: WatchTimings | undefined
  passkeyPollMs: number
  /** WhatsApp asked for a passkey, and the line waits for a person. */
  onPasskeyWait(wait: PasskeyWait): void
  getMessage: SocketConfig['getMessage']
  cachedGroupMetadata: SocketConfig['cachedGroupMetadata']
}

const settleMs = 5_000
const browser = Browsers.ubuntu('Chrome')

const { INITIAL_BOOTSTRAP, PUSH_NAME, NON_BLOCKING_DATA, RECENT, ON_DEMAND } = proto.HistorySync.HistorySyncType
const wantedSyncTypes = new Set<unknown>([INITIAL_BOOTSTRAP, PUSH_NAME, NON_BLOCKING_DATA, ON_DEMAND])
/**
 * Which history is accepted: only contacts and requested messages, because old conversations of a big account are
 * hundreds of megabytes. The library asks once about recent messages without a file, and reads the phone's address book
 * only if the answer is yes.
 */
const isWantedPast = ({ syncType, directPath }: proto.Message.IHistorySyncNotification): boolean =>
  wantedSyncTypes.has(syncType) || (syncType === RECENT && !directPath)

/** Whether the address is that of status posts or channels, which are no messages to the company. */
const isBroadcastJid = (jid: string): boolean =>
  Boolean(isJidBroadcast(jid) || isJidStatusBroadcast(jid) || isJidNewsletter(jid))

/** One connection to WhatsApp; `ended` resolves once, when everything it received is journalled or given up. */
export function openWhatsAppConnection(deps: ConnectionDeps) {
  const { row, log, creds, keys, url, qrMs } = deps
  const logger = makeQuietLog(log, row.id)
  const endPromise = Promise.withResolvers<ConnectionEnd>()
  let endCause: ConnectionEnd | undefined
  const pipeline = makeInboundPipeline({
    ...deps,
    interpreter: deps.makeInterpreter(() => sock),
    logger,
    me: () => ({ id: creds.me?.id ?? '', lid: creds.me?.lid ?? '' }),
    isIgnored: isBroadcastJid,
    onDatabaseError(error) {
      log.warn(
        { err: error, line: row.id },
        'the database failed for a message: closing the connection so that it is delivered again',
      )
      terminate({ code: 0, cause: 'journal' })
    },
  })
  deps.store.onFailure(pipeline.fail)
  const sock: WASocket = makeWASocket({
    auth: { creds, keys: keys.store },
    logger,
    version: deps.version,
    ...(url && { waWebSocketUrl: url }),
    browser,
    // The phone still notifies its owner; we appear online only while an agent is present.
    markOnlineOnConnect: false,
    syncFullHistory: false,
    shouldSyncHistoryMessage: isWantedPast,
    // The watchdog is faster, and the library's own timer costs a stack trace for every frame it sends.
    connectTimeoutMs: 0,
    defaultQueryTimeoutMs: 20_000,
    keepAliveIntervalMs: 25_000,
    transactionOpts: { maxCommitRetries: 3, delayBetweenTriesMs: 300 },
    shouldIgnoreJid: isBroadcastJid,
    getMessage: deps.getMessage,
    cachedGroupMetadata: deps.cachedGroupMetadata,
    makeSignalRepository: (_auth, ...args) =>
      pipeline.wrapRepository(
        serializeSessionAccess(
          DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds, keys: keys.direct }, ...args),
          keys.direct,
          deps.turns,
        ),
      ),
  })
  // Runs before the library's own listener, which asks for our result.
  sock.ws.prependListener('CB:message', pipeline.receive)
  const unwatch = watchConnection(sock, () => terminate({ code: 408, cause: 'silent' }), deps.watch)
  const qrCodes = showQrCodes({
    ...{ sock, creds, browser, qrMs },
    onExpired: () => terminate({ code: DisconnectReason.timedOut }),
  })
  // The watchdog is stopped while a QR code is shown: a user watches the code, and WhatsApp may not answer pings of an
  // unlinked device.
  sock.ws.on('CB:iq,type:set,pair-device', unwatch)

  // rc14 forwards this event without handling it: after a refusal it would stay "connecting" forever.
  sock.ws.on('unexpected-response', (_request: unknown, response: IncomingMessage) => {
    log.warn({ line: row.id, status: response.statusCode }, 'the connection was refused')
    terminate({ code: response.statusCode ?? 503, cause: 'refused' })
  })
  const passkeyLink = makePasskeyLink({
    ...{ sock, creds, scope: deps.scope, row, log, pollMs: deps.passkeyPollMs },
    onBegin: qrCodes.stop,
    onWait: deps.onPasskeyWait,
    end: (cause) => terminate({ code: 0, cause }),
  })

  let registeredAt: Date | undefined
  sock.ws.on('CB:success', ({ attrs }: BinaryNode) => {
    registeredAt = parseRegistrationTime(attrs.creation)
  })

  // The phone has accepted: any disconnect other than the expected restart means that pairing failed.
  let isPairing = false
  sock.ws.on('CB:iq,,pair-success', () => {
    isPairing = true
  })
  sock.ev.on('connection.update', ({ connection, lastDisconnect }) => {
    if (connection !== 'close') return
    const code = statusCodeOf(lastDisconnect?.error)
    if (isPairing && code !== DisconnectReason.restartRequired) endCause ??= { code, cause: 'pairing' }
    void finish(code)
  })

  /** Closes the connection without the closing handshake, which would not be answered on a dead network. */
  function terminate(reason: ConnectionEnd): void {
    endCause ??= reason
    const { socket } = sock.ws as unknown as { socket: { terminate(): void } | null }
    socket?.terminate()
    void sock.end(undefined)
  }
  let finished = false
  async function finish(code: number): Promise<void> {
    if (finished) return
    finished = true
    unwatch()
    qrCodes.stop()
    keys.close()
    const passkeyClosed = passkeyLink
      .close()
      .catch((err) => log.warn({ err, line: row.id }, 'could not delete the request for a passkey'))
    // A hanging database must not keep a line from stopping; later writes are refused, because the lease is gone.
    await Promise.race([Promise.all([pipeline.whenIdle(), passkeyClosed]), pause(settleMs)])
    endPromise.resolve(endCause ?? { code })
  }

  return {
    sock,
    ended: endPromise.promise,
    end: () => terminate({ code: 0 }),
    checkPasskey: passkeyLink.check,
    /** When WhatsApp says that the account was created; undefined: it did not say. */
    registeredAt: () => registeredAt,
  }
}
export type WhatsAppConnection = ReturnType<typeof openWhatsAppConnection>

/** WhatsApp began in 2009. */
const firstRegistration = Date.UTC(2009, 0)
/** The last moment that a Date can hold. */
const maxDateMs = 8.64e15
/** The `creation` of the success stanza, in seconds. The library does not read it. */
export function parseRegistrationTime(creation: string | undefined): Date | undefined {
  const moment = Number(creation) * 1000
  return moment >= firstRegistration && moment < maxDateMs ? new Date(moment) : undefined
}

const statusCodeOf = (error: unknown): number =>
  (error as { output?: { statusCode?: number } } | undefined)?.output?.statusCode ?? 0
