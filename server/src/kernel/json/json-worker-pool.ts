import { Worker } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import { countJsonValues, type JsonLimits } from './json-limits.ts'
import type { JsonMessage, JsonReadResult, JsonTask } from './json-worker.ts'

/** JSON up to this size and with few values is parsed in place: the round trip to a worker would take longer. */
export const smallJsonBytes = 64 * 1024
export const smallJsonValues = 4000

const threadCount = 2
const maxQueuedPerCompany = 8
const taskTimeoutMs = 10_000
const idleThreadMs = 60_000
const heapMb = 384

type Job = {
  companyId: number
  task: Omit<JsonTask, 'id'>
  keepsBytes: boolean
  resolve(result: JsonReadResult): void
  reject(error: Error): void
}
type Thread = { worker: Worker; job: Job | undefined; items: unknown[]; timer: NodeJS.Timeout; isEnded: boolean }

const threads = new Set<Thread>()
/** The waiting jobs of each company, in the order in which companies are served. */
const queues = new Map<number, Job[]>()
const runningByCompany = new Map<number, number>()
let lastId = 0

/**
 * Parses untrusted JSON and reads it with `reader` (see json-worker.ts) in a worker thread: whatever the JSON contains,
 * the event loop only gets the bounded result. Threads are shared; a company uses one at a time, and companies take turns.
 * The bytes are handed over to the thread, so the caller can no longer read them, unless it keeps them.
 */
export function readJsonInWorker<Head, Item = never>(
  companyId: number,
  bytes: Uint8Array,
  reader: URL,
  limits: JsonLimits,
  argument: unknown = null,
  { keepsBytes = false } = {},
): Promise<JsonReadResult<Head, Item>> {
  const queue = queues.get(companyId) ?? []
  if (queue.length >= maxQueuedPerCompany) return Promise.reject(new AppError('ERR_TOO_MANY_TRIES'))
  return new Promise<JsonReadResult>((resolve, reject) => {
    queue.push({ companyId, task: { bytes, limits, reader: reader.href, argument }, keepsBytes, resolve, reject })
    queues.set(companyId, queue)
    startNext()
  }) as Promise<JsonReadResult<Head, Item>>
}

/** A JSON reader: the function, and the module that exports it as default. */
export type JsonReaderModule<Head, Item> = {
  url: URL
  read: (value: unknown, argument: unknown) => JsonReadResult<Head, Item>
}

/** Reads JSON of another system: in place if small, otherwise in a worker thread. */
export async function readJson<Head, Item>(
  companyId: number,
  bytes: Uint8Array,
  { url, read }: JsonReaderModule<Head, Item>,
  limits: JsonLimits,
  argument: unknown = null,
): Promise<JsonReadResult<Head, Item>> {
  const small = { ...limits, values: Math.min(limits.values, smallJsonValues) }
  if (bytes.length > smallJsonBytes || countJsonValues(bytes, small) === null)
    return readJsonInWorker(companyId, bytes, url, limits, argument, { keepsBytes: true })
  return read(parseOrRefuse(bytes), argument)
}

function parseOrRefuse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  } catch {
    throw new AppError('ERR_SYNTAX')
  }
}

function startNext(): void {
  for (const [companyId, queue] of queues) {
    // One thread stays free for other companies.
    if ((runningByCompany.get(companyId) ?? 0) >= threadCount - 1) continue
    const thread = freeThread()
    if (!thread) return
    const job = queue.shift() as Job
    queues.delete(companyId)
    if (queue.length) queues.set(companyId, queue)
    runningByCompany.set(companyId, (runningByCompany.get(companyId) ?? 0) + 1)
    start(thread, job)
  }
}

function freeThread(): Thread | undefined {
  for (const thread of threads) if (!thread.job) return thread
  return threads.size < threadCount ? openThread() : undefined
}

function start(thread: Thread, job: Job): void {
  thread.job = job
  thread.items = []
  clearTimeout(thread.timer)
  thread.timer = setTimeout(() => endThread(thread, new AppError('ERR_BODY_TOO_LARGE')), taskTimeoutMs)
  thread.worker.ref()
  // Copying 20 MB takes 10 ms of the event loop. A small buffer shares its memory with others and cannot be transferred.
  const given = job.task.bytes
  const isCopied = job.keepsBytes || given.byteLength < given.buffer.byteLength
  const bytes = isCopied ? new Uint8Array(given) : given
  thread.worker.postMessage({ ...job.task, bytes, id: ++lastId }, [bytes.buffer as ArrayBuffer])
}

function openThread(): Thread {
  const worker = new Worker(new URL('./json-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: heapMb / 4 },
  })
  worker.unref()
  const thread: Thread = { worker, job: undefined, items: [], timer: setTimeout(() => {}, 0), isEnded: false }
  threads.add(thread)
  worker.on('message', (message: JsonMessage) => handleMessage(thread, message))
  worker.on('error', (cause: Error & { code?: string }) => {
    const tooMuch = cause.code === 'ERR_WORKER_OUT_OF_MEMORY' || cause instanceof RangeError
    endThread(thread, tooMuch ? new AppError('ERR_BODY_TOO_LARGE') : cause)
  })
  worker.on('exit', () => endThread(thread, new Error('a JSON thread ended')))
  return thread
}

function handleMessage(thread: Thread, message: JsonMessage): void {
  const { job } = thread
  if (!job || thread.isEnded) return
  if ('items' in message) {
    for (const item of message.items) thread.items.push(item)
    // The next message is sent in a later turn of the event loop, because a port delivers all pending messages in one
    // turn.
    setImmediate(() => thread.isEnded || thread.worker.postMessage({ more: message.id }))
    return
  }
  release(thread)
  if ('head' in message) job.resolve({ head: message.head, items: thread.items })
  else if ('failed' in message) job.reject(new Error(message.failed))
  else job.reject(new AppError(message.refused === 'syntax' ? 'ERR_SYNTAX' : 'ERR_VALIDATION'))
  thread.items = []
  startNext()
}

function release(thread: Thread): void {
  const { job } = thread
  thread.job = undefined
  clearTimeout(thread.timer)
  thread.timer = setTimeout(() => endThread(thread), idleThreadMs).unref()
  thread.worker.unref()
  if (!job) return
  const left = (runningByCompany.get(job.companyId) ?? 1) - 1
  if (left) runningByCompany.set(job.companyId, left)
  else runningByCompany.delete(job.companyId)
}

/** Terminates a thread; the next task starts a new one. */
function endThread(thread: Thread, why?: Error): void {
  if (thread.isEnded) return
  thread.isEnded = true
  const { job } = thread
  release(thread)
  clearTimeout(thread.timer)
  threads.delete(thread)
  void thread.worker.terminate()
  if (why) job?.reject(why)
  startNext()
}
