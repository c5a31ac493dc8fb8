import { Worker } from 'node:worker_threads'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { ConversationEntry, ConversationHeader, ExportedConversation } from './conversation.ts'
import { makePictureReader, type Picture } from './pictures.ts'

export type PdfTask = { head: Omit<ConversationHeader, 'answer'> }
export type PdfEntry = ConversationEntry & { answer: string; image: Uint8Array | null }
export type PdfBatch = { entries: PdfEntry[]; isLast: boolean }

const batchSize = 25
/** Heap limit of the worker, enough for fonts, a page, and the images of a batch. */
const workerHeapMb = 256
/** A JPEG is embedded unchanged; other types are decoded first, which is expensive. */
const isEmbeddablePicture = ({ type, bytes }: Picture) =>
  type === 'image/jpeg' || (type === 'image/png' && bytes.length < 400_000)

/** Renders in a worker thread, which gets the next batch when it is done with the last. */
export async function* renderPdf(scope: Scope, { head, entries }: ExportedConversation): AsyncGenerator<Uint8Array> {
  const { answer, ...plain } = head
  const pictureOf = makePictureReader(scope, isEmbeddablePicture)
  const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url), {
    workerData: { head: plain },
    resourceLimits: { maxOldGenerationSizeMb: workerHeapMb },
  })
  let waiting = Promise.withResolvers<Uint8Array>()
  worker.on('message', (bytes: Uint8Array) => waiting.resolve(bytes))
  worker.on('error', (cause) => waiting.reject(cause))
  worker.on('exit', () => waiting.reject(new AppError('ERR_INTERNAL_SERVER_ERROR')))
  const sendBatch = (piece: PdfBatch): Promise<Uint8Array> => {
    waiting = Promise.withResolvers()
    worker.postMessage(piece)
    return waiting.promise
  }
  try {
    let pending: PdfEntry[] = []
    for await (const entry of entries) {
      const image = (await pictureOf(entry))?.bytes ?? null
      pending.push({ ...entry, image, answer: entry.quoted ? answer(entry.quoted.who) : '' })
      if (pending.length < batchSize) continue
      yield await sendBatch({ entries: pending, isLast: false })
      pending = []
    }
    yield await sendBatch({ entries: pending, isLast: true })
  } finally {
    waiting.promise.catch(() => {})
    await worker.terminate()
  }
}
