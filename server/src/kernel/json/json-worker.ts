import { parentPort } from 'node:worker_threads'
import { countJsonValues, type JsonLimits } from './json-limits.ts'

/** Runs in a worker thread (see json-worker-pool.ts): reads one JSON text at a time and returns the result in small messages. */
export type JsonTask = {
  id: number
  bytes: Uint8Array
  limits: JsonLimits
  /** The URL of a module whose default export makes a bounded result of the parsed value. */
  reader: string
  argument: unknown
}
export type JsonMessage =
  | { id: number; refused: 'syntax' | 'structure' }
  | { id: number; failed: string }
  | { id: number; items: unknown[] }
  | { id: number; head: unknown }

/** `items` are sent to the main thread in batches, so that no single message takes long to deserialise there. */
export type JsonReadResult<Head = unknown, Item = unknown> = { head: Head; items?: Item[] }
export type JsonReader = (value: unknown, argument: unknown) => JsonReadResult

/** A batch is limited in values, not items: a wide row costs as much as many narrow ones. */
const valuesPerBatch = 4000

/** The rest of the current task's result. */
let pending: { id: number; head: unknown; items: unknown[]; at: number } | undefined

const post = (message: JsonMessage) => parentPort?.postMessage(message)

parentPort?.on('message', async (message: JsonTask | { more: number }) => {
  if ('more' in message) return sendNext()
  const { id } = message
  try {
    const result = await readTask(message)
    if (typeof result === 'string') return post({ id, refused: result })
    pending = { id, head: result.head, items: result.items ?? [], at: 0 }
    sendNext()
  } catch (error) {
    post({ id, failed: String(error instanceof Error ? error.stack : error).slice(0, 2000) })
  }
})

async function readTask({
  bytes,
  limits,
  reader,
  argument,
}: JsonTask): Promise<JsonReadResult | 'syntax' | 'structure'> {
  if (countJsonValues(bytes, limits) === null) return 'structure'
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))
  } catch {
    return 'syntax'
  }
  if (hasProtoKey(value)) return 'syntax'
  const { default: readValue } = (await import(reader)) as { default: JsonReader }
  return readValue(value, argument)
}

function sendNext(): void {
  if (!pending) return
  const { id, items, head } = pending
  const start = pending.at
  let values = 0
  while (pending.at < items.length && values < valuesPerBatch) values += countValues(items[pending.at++])
  if (pending.at > start) post({ id, items: items.slice(start, pending.at) })
  else {
    pending = undefined
    post({ id, head })
  }
}

function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  if (ArrayBuffer.isView(value)) return 1 + value.byteLength / 64
  let size = 1
  for (const one of Object.values(value)) size += countValues(one)
  return size
}

/**
 * Whether an object has the key `__proto__`, which would change its prototype when it is copied. The parser of small
 * bodies refuses this key, too.
 */
function hasProtoKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Object.hasOwn(value, '__proto__')) return true
  return Object.values(value).some(hasProtoKey)
}
