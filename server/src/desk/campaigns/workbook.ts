import { makeWorkerQueue } from '../../kernel/files/in-worker.ts'

/** A hundred thousand rows take some seconds, which nobody else should wait for. */
const workerLimits = { ms: 60_000, heapMb: 1024, waiting: 4 }
const writeInWorker = makeWorkerQueue<string[][], Uint8Array>(new URL('./workbook-worker.ts', import.meta.url))

/** Rows as a workbook (.xlsx), made in a thread of its own, one after the other of each company. */
export const writeWorkbook = async (companyId: number, rows: string[][]): Promise<Buffer> =>
  Buffer.from(await writeInWorker(rows, workerLimits, companyId))
