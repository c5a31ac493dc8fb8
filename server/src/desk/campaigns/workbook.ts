import { makeWorkerQueue } from '../../kernel/files/in-worker.ts'

/** A hundred thousand rows take several seconds, which must not block other requests. */
const workerLimits = { timeoutMs: 60_000, heapMb: 1024, maxQueued: 4 }
const writeInWorker = makeWorkerQueue<string[][], Uint8Array>(new URL('./workbook-worker.ts', import.meta.url))

/** Writes rows as a workbook (.xlsx) in a worker thread, one at a time per company. */
export const writeWorkbook = async (companyId: number, rows: string[][]): Promise<Buffer> =>
  Buffer.from(await writeInWorker(rows, workerLimits, companyId))
