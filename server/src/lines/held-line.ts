import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../kernel/log.ts'
import type { ChatId, InboundEvent, Line, LineListener, LineRow, LineState, MakeLine, RowsWithEvents } from './line.ts'

/** The callbacks of a line. */
export type LineOutlets = {
  receive(row: LineRow, events: InboundEvent[], rows?: RowsWithEvents): Promise<void>
  reportState(row: LineRow, state: LineState): Promise<void>
  reportTyping(row: LineRow, chat: ChatId, on: boolean): void
  reportReachOutLock(row: LineRow, until: Date | null): Promise<void>
  reportUnreadable(row: LineRow, since: Date | null): Promise<void>
  /** The line can carry messages from here on, until `onDisconnected` has resolved. */
  onConnected(row: LineRow, line: Line): void
  onDisconnected(row: LineRow): Promise<void>
}
export type HeldLine = ReturnType<typeof holdLine>

/**
 * The pause before a restart: 1, 2, 4 … 60 times the first pause, minus up to half, so that lines that failed together
 * do not restart together.
 */
export const backoffMs = (tries: number, first: number): number =>
  Math.min(60, 2 ** tries) * first * (1 - Math.random() / 2)

/** `graceMs`: how long a released line may take to finish sending. */
type HoldTimings = { retryMs: number; graceMs: number }

/**
 * Holds one line in this process: starts it, restarts it on failure, and disconnects it from the callbacks once it is
 * released.
 */
export function holdLine(
  row: LineRow,
  make: MakeLine | undefined,
  outlets: LineOutlets,
  log: Log,
  { retryMs, graceMs }: HoldTimings,
) {
  let line: Line | undefined
  let latestState: LineState | undefined
  let isUp = false
  let isReleased = false
  let timer: NodeJS.Timeout | undefined
  let attemptTask: Promise<void> = Promise.resolve()

  const listener: LineListener = {
    async receive(events, rows) {
      if (isReleased) throw new Error(`line ${row.id} is no longer ours`)
      await outlets.receive(row, events, rows)
    },
    async reportState(state) {
      latestState = state
      if (state.status !== 'CONNECTED') await goDown()
      // A state that could not be written is written again, unless a newer state exists.
      while (!isReleased && latestState === state) {
        try {
          await outlets.reportState(row, state)
          break
        } catch (err) {
          log.warn({ err, line: row.id }, 'could not store the state of a line')
          await pause(retryMs)
        }
      }
      if (isReleased || latestState !== state || state.status !== 'CONNECTED' || isUp || !line) return
      isUp = true
      outlets.onConnected(row, line)
    },
    reportTyping: (chat, on) => void (isReleased || outlets.reportTyping(row, chat, on)),
    reportReachOutLock: async (until) => {
      if (!isReleased) await outlets.reportReachOutLock(row, until)
    },
    reportUnreadable: async (since) => {
      if (!isReleased) await outlets.reportUnreadable(row, since)
    },
  }

  async function goDown(): Promise<void> {
    if (!isUp) return
    isUp = false
    // The line goes down even if a callback fails here.
    await outlets
      .onDisconnected(row)
      .catch((err) => log.warn({ err, line: row.id }, 'not all listeners for a line going down finished'))
  }

  async function attempt(tries: number): Promise<void> {
    if (isReleased) return
    if (!make) return listener.reportState({ status: 'DISCONNECTED', reason: 'provider-missing' })
    let newLine: Line | undefined
    try {
      newLine = make(row, listener)
      line = newLine
      await newLine.start()
    } catch (err) {
      log.warn({ err, line: row.id }, 'a line did not start')
      line = undefined
      await newLine
        ?.stop()
        .catch((err) => log.warn({ err, line: row.id }, 'a line that did not start did not stop either'))
      if (isReleased) return
      timer = setTimeout(
        () => {
          attemptTask = attempt(tries + 1)
        },
        backoffMs(tries, retryMs),
      )
      await listener.reportState({ status: 'DISCONNECTED', reason: 'start-failed', retries: tries + 1 })
    }
  }

  async function release(): Promise<void> {
    isReleased = true
    clearTimeout(timer)
    const down = goDown()
    // Work that hangs is aborted with the line: a line that should no longer run must not block others.
    await Promise.race([down, pause(graceMs, undefined, { ref: false })])
    await line?.stop().catch((err) => log.warn({ err, line: row.id }, 'a line did not stop cleanly'))
    await down
    await attemptTask
  }

  attemptTask = attempt(0)
  let stopping: Promise<void> | undefined
  return {
    row,
    /** The line, if it can carry messages. */
    get connected(): Line | undefined {
      return isUp ? line : undefined
    },
    /** Stops the line once, although it may become unwanted and lose its lease at the same time. */
    stop(): Promise<void> {
      stopping ??= release()
      return stopping
    },
  }
}
