import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Log } from '../../kernel/log.ts'
import { backoffMs } from '../held-line.ts'
import { type LineListener, LineRefusedError, type LineRow } from '../line.ts'
import { simulateBadNetwork } from './bad-network.ts'
import { loadUndelivered, markDelivered } from './customer-actions.ts'
import { toInboundEvents, toSandboxJid } from './events.ts'
import { loadTestPhone, publishPhoneChange, testLineNumber } from './test-phone.ts'

/** A QR code is valid for a minute and three are shown, as in WhatsApp; `pollMs` covers lost signals. */
export const defaultSandboxTimings = {
  qrMs: 60_000,
  maxQrCodes: 3,
  reconnectMs: 1_000,
  pollMs: 3_000,
  reorderWaitMs: 300,
}
export type SandboxTimings = typeof defaultSandboxTimings

/** How many events are delivered at once: the journal is most efficient with many. */
const deliveryBatchSize = 250

export type SandboxLink = ReturnType<typeof makeSandboxLink>

/** The connection to the test phone: links, loses and finds it, and delivers the customers' actions. */
export function makeSandboxLink(scope: Scope, row: LineRow, listener: LineListener, log: Log, pace: SandboxTimings) {
  let phase: 'opening' | 'qr' | 'connected' | 'cut' | 'over' = 'opening'
  let drops = 0
  let timer: NodeJS.Timeout | undefined
  let delivering: Promise<void> | undefined
  let isMoreWaiting = false
  let lastStep: Promise<void> = Promise.resolve()
  const abort = new AbortController()
  const pollTimer = setInterval(() => handleSignal(''), pace.pollMs)

  /** Steps run one after another; a step that fails is repeated by the next poll. */
  function enqueueStep(step: () => Promise<void>): Promise<void> {
    lastStep = lastStep
      .then(() => (abort.signal.aborted ? undefined : step()))
      .catch((err) => log.warn({ err, line: row.id }, 'a test line failed'))
    return lastStep
  }
  function runAfter(ms: number, step: () => Promise<void>): void {
    clearTimeout(timer)
    timer = setTimeout(() => void enqueueStep(step), ms)
  }

  async function showCode(shown: number): Promise<void> {
    if (shown === pace.maxQrCodes) return giveUp('qr-timeout')
    phase = 'qr'
    const qrcode = `recado-sandbox:${row.id}:${randomBytes(24).toString('base64url')}`
    await listener.reportState({ status: 'qrcode', qrcode, retries: shown })
    runAfter(pace.qrMs, () => showCode(shown + 1))
  }
  async function connect(): Promise<void> {
    clearTimeout(timer)
    phase = 'connected'
    await listener.reportState({ status: 'CONNECTED', number: testLineNumber(row.id) })
    void deliver()
  }
  async function giveUp(reason: string): Promise<void> {
    clearTimeout(timer)
    phase = 'over'
    await listener.reportState({ status: 'DISCONNECTED', reason, gaveUp: true })
  }
  async function loseConnection(): Promise<void> {
    if (phase !== 'connected') return
    phase = 'cut'
    await listener.reportState({ status: 'DISCONNECTED', reason: 'network', retries: ++drops })
    runAfter(backoffMs(Math.min(drops - 1, 6), pace.reconnectMs), openConnection)
  }
  async function openConnection(): Promise<void> {
    phase = 'opening'
    await listener.reportState({ status: 'OPENING' })
    const { linked } = await loadTestPhone(scope, row.id)
    await (linked ? connect() : showCode(0))
  }
  async function checkLinked(): Promise<void> {
    // Steps run one after another, so an unfinished opening means that its step failed.
    if (phase === 'opening') return openConnection()
    if (phase !== 'qr' && phase !== 'connected') return
    const { linked } = await loadTestPhone(scope, row.id)
    if (phase === 'connected' && !linked) return giveUp('unlinked')
    if (phase === 'qr' && linked) {
      await listener.reportState({ status: 'PAIRING' })
      await connect()
    }
  }

  /** One delivery at a time; a call during a delivery causes one more after it. */
  function deliver(): Promise<void> {
    isMoreWaiting = true
    delivering ??= (async () => {
      while (isMoreWaiting && phase === 'connected' && !abort.signal.aborted) {
        isMoreWaiting = false
        await handOver().catch(
          (err) => abort.signal.aborted || log.warn({ err, line: row.id }, 'not handed over, waiting'),
        )
      }
    })().finally(() => {
      delivering = undefined
      // A signal arrived after the last read, so there may be more events.
      if (isMoreWaiting && phase === 'connected' && !abort.signal.aborted) void deliver()
    })
    return delivering
  }
  async function handOver(): Promise<void> {
    let rows = await loadUndelivered(scope, row.id, deliveryBatchSize)
    // Settings are read after the rows, so that rows follow all settings made before they were written.
    const { linked, behaviour } = await loadTestPhone(scope, row.id)
    if (!linked) return void enqueueStep(checkLinked)
    if (rows.length && behaviour.delayMs) await pause(behaviour.delayMs, undefined, { signal: abort.signal })
    if (rows.length && behaviour.reorder) {
      // A single event cannot be overtaken, so the line waits a moment for others.
      await pause(pace.reorderWaitMs, undefined, { signal: abort.signal })
      rows = await loadUndelivered(scope, row.id, deliveryBatchSize)
    }
    if (!rows.length || phase !== 'connected') return
    isMoreWaiting ||= rows.length === deliveryBatchSize
    const deliveries = rows.map(({ seq, ...r }) => ({
      seq,
      events: toInboundEvents({ seq, ...r }, testLineNumber(row.id)),
    }))
    const { delivered, duplicates } = simulateBadNetwork(
      deliveries.flatMap((delivery) => delivery.events),
      behaviour,
    )
    await Promise.all([
      delivered.length && listener.receive(delivered),
      duplicates.length && listener.receive(duplicates),
    ])
    const deliveredSet = new Set(delivered)
    await markDelivered(
      scope,
      rows.map((r) => r.seq),
      deliveries
        .filter((delivery) => delivery.events.some((event) => deliveredSet.has(event)))
        .map((delivery) => delivery.seq),
    )
    for (const chat of new Set(rows.map((r) => r.chat))) publishPhoneChange(scope, row.id, chat)
  }

  function handleSignal(command: string, argument = ''): void {
    if (command === 'cut') void enqueueStep(loseConnection)
    else if (command === 'types' || command === 'rests')
      listener.reportTyping(toSandboxJid(argument), command === 'types')
    else if (phase === 'connected') void deliver()
    else void enqueueStep(checkLinked)
  }

  return {
    handleSignal: handleSignal,
    deliver,
    /** Throws while the phone is not connected. Sending then fails, and may be retried. */
    async assertReachable(): Promise<void> {
      const { linked, behaviour } = await loadTestPhone(scope, row.id)
      if (phase !== 'connected' || !linked || behaviour.failSends === 'network')
        throw new Error('the phone cannot be reached')
      if (behaviour.failSends) throw new LineRefusedError(behaviour.failSends)
    },
    async open(): Promise<void> {
      const first = openConnection()
      lastStep = first.catch(() => {})
      await first
    },
    async close(): Promise<void> {
      abort.abort()
      clearInterval(pollTimer)
      clearTimeout(timer)
      await Promise.all([lastStep, delivering])
    },
  }
}
