import { sql } from 'kysely'
import type { Deps } from '../../kernel/data/scope.ts'
import type { Log } from '../../kernel/log.ts'
import type { Line, LineRow } from '../../lines/line.ts'
import { runLineTasks } from './line-tasks.ts'
import { makePacingGate } from './pacing.ts'
import { sendQueuedMessages } from './send.ts'
import { startWorker, type Worker } from './worker.ts'

/** Polling interval, because a notification may get lost. */
const pollMs = 5000

/**
 * The outbound side of every line: the process that runs the line sends queued messages in the order of their
 * conversation. A signal wakes it when a message is stored; a line that reconnects finds waiting messages. Files are
 * downloaded in parallel, so that no answer or deletion waits for a video.
 */
export function makeOutbox(deps: Deps, log: Log) {
  const workers = new Map<number, Worker[]>()
  /** Send results since this process started. */
  const tally = { sent: 0, refused: 0 }
  const wake = (whatsappId: number): void => {
    for (const worker of workers.get(whatsappId) ?? []) worker.wake()
  }
  const pollTimer = setInterval(
    () => void pollLines().catch((err) => log.warn({ err }, 'the outbox cannot be read')),
    pollMs,
  )
  pollTimer.unref()

  async function pollLines(): Promise<void> {
    const ids = [...workers.keys()]
    if (!ids.length) return
    const { rows } = await sql<{ id: number }>`
      select waiting.id from unnest(${ids}::int[]) waiting (id)
      where exists (select 1 from messages m where m."whatsappId" = waiting.id and m.state in ('queued', 'sending'))
         or exists (select 1 from "lineErrands" e where e."whatsappId" = waiting.id and e."notBefore" <= ${deps.clock.now()})`.execute(
      deps.database.platform,
    )
    for (const { id } of rows) wake(id)
  }

  async function end(whatsappId: number): Promise<void> {
    const ending = workers.get(whatsappId) ?? []
    workers.delete(whatsappId)
    await Promise.all(ending.map((worker) => worker.stop()))
  }

  return {
    tally,
    begin(row: LineRow, line: Line): void {
      void end(row.id)
      const failing = {
        failingSince: new Map(),
        pausedUntil: 0,
        restingUntil: new Map(),
        typingShown: new Set<number>(),
        gate: makePacingGate(),
        bulkShutUntil: 0,
        onResult: (id: number, error: string | null) => {
          tally[error ? 'refused' : 'sent']++
          log.debug({ line: row.id, messageId: id, error }, error ? 'refused' : 'sent')
        },
      }
      workers.set(row.id, [
        startWorker((_ended, call) => sendQueuedMessages(deps, row, line, failing, call), log, row.id),
        startWorker((_ended, call) => runLineTasks(deps, log, row, line, call), log, row.id),
      ])
    },
    wake,
    look: pollLines,
    end,
    async close(): Promise<void> {
      clearInterval(pollTimer)
      await Promise.all([...workers.keys()].map(end))
    },
  }
}
export type Outbox = ReturnType<typeof makeOutbox>
