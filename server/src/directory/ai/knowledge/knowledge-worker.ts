import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { fold } from '@recado/contract/text/fold'
import { cutBlock, cutIntoPieces, numberPieces, type SourcePiece, splitIntoBlocks } from './cut-pieces.ts'
import { readDocx } from './docx.ts'
import { readPdf } from './pdf.ts'

/** Runs in a worker thread, so that a file that crashes its reader ends only the thread (see read.ts). */
export type KnowledgeReadTask = {
  path: string
  kind: KnowledgeFileKind
  pages: number
  rows: number
  batchSize: number
}
export type KnowledgeFileKind = 'pdf' | 'docx' | 'txt' | 'md' | 'csv'
/** `done` of `total`: pages or pieces, for the progress display. */
export type KnowledgeBatch = { pieces: SourcePiece[]; done: number; total: number }

const task = workerData as KnowledgeReadTask
const batches = readBatches(readFileSync(task.path))
parentPort?.on('message', async () => {
  const { value, done } = await batches.next()
  parentPort?.postMessage(done ? null : value)
})

async function* readBatches(file: Buffer): AsyncGenerator<KnowledgeBatch> {
  if (task.kind === 'pdf') return yield* readPdfBatches(file)
  const pieces =
    task.kind === 'docx'
      ? numberPieces(cutIntoPieces(readDocx(file)))
      : task.kind === 'csv'
        ? await readCsvPieces(decodeText(file))
        : numberPieces(cutIntoPieces(splitIntoBlocks(decodeText(file), task.kind === 'md')))
  for (let at = 0; at < pieces.length; at += task.batchSize) {
    const done = Math.min(pieces.length, at + task.batchSize)
    yield { pieces: pieces.slice(at, done), done, total: pieces.length }
  }
}

async function* readPdfBatches(file: Buffer): AsyncGenerator<KnowledgeBatch> {
  let pieces: SourcePiece[] = []
  let done = 0
  let total = 0
  for await (const page of readPdf(file, task.pages)) {
    done++
    total = page.of
    pieces.push(...cutIntoPieces(page.stretches))
    if (pieces.length < task.batchSize && done % 20) continue
    yield { pieces, done, total }
    pieces = []
  }
  if (pieces.length) yield { pieces, done, total }
}

const questionHeader = /^(pregunta|pergunta|question|faq|duda|duvida|q)s?$/
const answerHeader = /^(respuesta|resposta|answer|reply|a)s?$/

/** Each row is a piece, with its column names; a row with question and answer columns is a question with its answer. */
async function readCsvPieces(text: string): Promise<SourcePiece[]> {
  const { read, utils } = await import('@e965/xlsx')
  const book = read(text, { type: 'string', raw: true, dense: true, sheetRows: task.rows + 2, cellFormula: false })
  const sheet = book.Sheets[book.SheetNames[0] ?? '']
  const rows = sheet
    ? utils.sheet_to_json<unknown[]>(sheet, { header: 1, raw: false, blankrows: true, defval: '' })
    : []
  if (rows.length > task.rows + 1) throw new RangeError('too many rows')
  const names = (rows[0] ?? []).map((name) =>
    String(name ?? '')
      .trim()
      .slice(0, 100),
  )
  const columnOf = (pattern: RegExp) => names.findIndex((name) => pattern.test(fold(name)))
  const [ask, answer] = [columnOf(questionHeader), columnOf(answerHeader)]
  return rows.slice(1).flatMap((cells, i) => {
    const values = names.map((_, n) => String(cells[n] ?? '').trim())
    const isPair = ask >= 0 && answer >= 0 && values[ask] && values[answer]
    const filled = names.map((name, n) => ({ name, value: values[n] ?? '', n })).filter(({ value }) => value)
    const others = filled.filter(({ n }) => !(isPair && (n === ask || n === answer)))
    const written = others.map(({ name, value }) => (name ? `${name}: ${value}` : value))
    const body = [...(isPair ? [values[answer] as string] : []), ...written].join('\n')
    // Row numbers start at the header, which is row one.
    return body ? cutBlock({ heading: isPair ? (values[ask] as string) : '', text: body, at: i + 2 }) : []
  })
}

/** Text exported from old programs uses the Western European code page. */
function decodeText(bytes: Buffer): string {
  const start = bytes.subarray(0, 2).toString('hex')
  if (start === 'fffe' || start === 'feff')
    return new TextDecoder(start === 'fffe' ? 'utf-16le' : 'utf-16be').decode(bytes)
  if (bytes.includes(0)) throw new Error('not text')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
