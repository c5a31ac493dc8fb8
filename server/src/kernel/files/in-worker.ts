import { Worker } from 'node:worker_threads'
import { AppError } from '../errors.ts'

/** `heapMb`: heap limit of the worker; `maxQueued`: maximum length of a queue, including the running task. */
export type WorkerLimits = { timeoutMs: number; heapMb: number; maxQueued: number }

type Queue = { tail: Promise<unknown>; size: number }

/**
 * Reads untrusted files in a worker thread: a file that crashes or blocks its reader ends only the thread. The script
 * gets the task as `workerData` and posts its answer. One task at a time per queue, because conversations need the other
 * core; with a queue per company, no company waits for another company's slow file.
 */
export function makeWorkerQueue<Task, Answer>(script: URL) {
  const queues = new Map<number, Queue>()
  return async (task: Task, limits: WorkerLimits, queueKey = 0): Promise<Answer> => {
    const queue = queues.get(queueKey) ?? { tail: Promise.resolve(), size: 0 }
    if (queue.size >= limits.maxQueued) throw new AppError('ERR_TOO_MANY_TRIES')
    queues.set(queueKey, queue)
    queue.size++
    const turn = queue.tail.then(() => runInWorker<Answer>(script, task, limits))
    queue.tail = turn.catch(() => {})
    try {
      return await turn
    } finally {
      queue.size--
      if (!queue.size) queues.delete(queueKey)
    }
  }
}

export type CompanySlots = ReturnType<typeof makeCompanySlots>

/**
 * Limits work that occupies a thread as long as a client reads: `maxRunning` at once per company, and `maxWaiting` more
 * in its queue. A thread needs as much memory as a thousand open browsers, and nothing else limits their number.
 */
export function makeCompanySlots({
  maxRunning: atOnce,
  maxWaiting: waiting,
}: {
  maxRunning: number
  maxWaiting: number
}) {
  const companies = new Map<number, { running: number; waiters: (() => void)[] }>()
  /** Resolves with the function that releases the slot. */
  return async (companyId: number): Promise<() => void> => {
    const slots = companies.get(companyId) ?? { running: 0, waiters: [] }
    companies.set(companyId, slots)
    if (slots.running < atOnce) slots.running++
    else if (slots.waiters.length >= waiting) throw new AppError('ERR_TOO_MANY_TRIES')
    else await new Promise<void>((go) => slots.waiters.push(go))
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      const next = slots.waiters.shift()
      if (next) return next()
      if (--slots.running === 0) companies.delete(companyId)
    }
  }
}

/**
 * Reads a file in batches: the script gets the message `next` and posts the next batch, or null at the end. The reader
 * requests a batch when it is done with the last one, so neither side holds more than one.
 */
export async function* readBatchesInWorker<Portion>(
  script: URL,
  task: unknown,
  { timeoutMs: ms, heapMb }: Pick<WorkerLimits, 'timeoutMs' | 'heapMb'>,
): AsyncGenerator<Portion> {
  const worker = new Worker(script, {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: heapMb / 4 },
  })
  let waiting = Promise.withResolvers<Portion | null>()
  const fail = (cause: AppError) => waiting.reject(cause)
  worker.on('message', (batch: Portion | null) => waiting.resolve(batch))
  worker.on('error', (cause: Error & { code?: string }) => fail(toFileError(cause)))
  worker.on('exit', () => fail(new AppError('ERR_FILE_TYPE')))
  const next = async (): Promise<Portion | null> => {
    waiting = Promise.withResolvers()
    const timer = setTimeout(() => fail(new AppError('ERR_FILESIZE_OVER_LIMIT')), ms)
    worker.postMessage('next')
    return waiting.promise.finally(() => clearTimeout(timer))
  }
  try {
    for (let batch = await next(); batch !== null; batch = await next()) yield batch
  } finally {
    // The worker is terminated now, so its pending answer is ignored.
    waiting.promise.catch(() => {})
    await worker.terminate()
  }
}

function runInWorker<Answer>(script: URL, task: unknown, { timeoutMs: ms, heapMb }: WorkerLimits): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, {
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: heapMb / 4 },
    })
    const timer = setTimeout(() => end(() => reject(new AppError('ERR_FILESIZE_OVER_LIMIT'))), ms)
    const end = (answer: () => void) => {
      clearTimeout(timer)
      void worker.terminate()
      answer()
    }
    worker.once('message', (answer: Answer) => end(() => resolve(answer)))
    worker.once('error', (cause: Error & { code?: string }) => end(() => reject(toFileError(cause))))
    worker.once('exit', () => end(() => reject(new AppError('ERR_FILE_TYPE'))))
  })
}

/** Exceeding memory or unpacking limits is a size error; any other failure means an invalid file. */
function toFileError(cause: Error & { code?: string }): AppError {
  const isTooLarge =
    cause.code === 'ERR_WORKER_OUT_OF_MEMORY' || cause.code === 'ERR_BUFFER_TOO_LARGE' || cause instanceof RangeError
  return Object.assign(new AppError(isTooLarge ? 'ERR_FILESIZE_OVER_LIMIT' : 'ERR_FILE_TYPE'), { cause })
}
