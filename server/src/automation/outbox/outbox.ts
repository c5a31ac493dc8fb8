import type { Log } from '../../kernel/log.ts'
import type { Means } from '../../kernel/scope.ts'
import type { Line, LineRow } from '../../lines/line.ts'
import { runErrands } from './errands.ts'
import { sendQueued } from './send.ts'

/** A line that answers with errors is left in peace for this long. */
const pause = 2000

type Worker = { wake: () => void; stop: () => Promise<void> }

/**
 * Every line's way out: what is queued leaves in order, one after the other, by the process that runs the line. Woken
 * by the signal of who stored it; a line that comes back finds what waited.
 */
export function makeOutbox(means: Means, log: Log) {
  const workers = new Map<number, Worker>()

  function begin(row: LineRow, line: Line): void {
    void workers.get(row.id)?.stop()
    let wanted = true
    let stopped = false
    let running: Promise<void> | null = null

    async function work(): Promise<void> {
      while (wanted && !stopped) {
        wanted = false
        try {
          await sendQueued(means, row, line, () => stopped)
          const next = await runErrands(means, row, line, () => stopped)
          if (next !== null && !stopped) setTimeout(wake, next).unref()
        } catch (err) {
          log.warn({ err, line: row.id }, 'the line could not send; what waits stays queued')
          if (!stopped) setTimeout(wake, pause).unref()
        }
      }
      running = null
    }
    function wake(): void {
      wanted = true
      if (!stopped) running ??= work()
    }
    workers.set(row.id, {
      wake,
      stop: async () => {
        stopped = true
        await running
      },
    })
    wake()
  }

  return {
    begin,
    wake: (whatsappId: number) => workers.get(whatsappId)?.wake(),
    async end(whatsappId: number): Promise<void> {
      const worker = workers.get(whatsappId)
      workers.delete(whatsappId)
      await worker?.stop()
    },
    async close(): Promise<void> {
      await Promise.all([...workers.values()].map((worker) => worker.stop()))
      workers.clear()
    },
  }
}
export type Outbox = ReturnType<typeof makeOutbox>
