import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { read, utils, type WorkBook } from '@e965/xlsx'
import { unpacked } from '../../kernel/files/zip-guard.ts'

/**
 * Runs in a thread of its own: whatever a file does to the parser ends with the thread (see sheet.ts). `portion`: it is
 * asked for piece by piece, the header with the number of rows first.
 */
export type SheetTask = { path: string; rows: number; bytes: number; portion?: number }
export type SheetHead = { headers: string[]; total: number }
export type SheetPortion = SheetHead | Cells[]
/** The cells of a row in the order of the headers. */
export type Cells = unknown[]

const task = workerData as SheetTask
const file = readFileSync(task.path)
const sheet = firstSheet(open())
if (task.portion) inPortions(task.portion)
else {
  // A row more than allowed is read, to know that there is one.
  const rows = sheet ? utils.sheet_to_json<Record<string, unknown>>(sheet, { raw: true, blankrows: false }) : []
  parentPort?.postMessage(rows.slice(0, task.rows + 1))
}

function inPortions(size: number): void {
  const range = sheet?.['!ref'] ? utils.decode_range(sheet['!ref']) : null
  const rowsOf = (from: number, until: number): Cells[] =>
    sheet && range
      ? utils.sheet_to_json<Cells>(sheet, {
          ...{ header: 1, raw: true, blankrows: true, defval: '' },
          range: { s: { r: from, c: range.s.c }, e: { r: until, c: range.e.c } },
        })
      : []
  const [first = []] = range ? rowsOf(range.s.r, range.s.r) : []
  let at = range ? range.s.r + 1 : 1
  const last = range?.e.r ?? 0
  let begun = false
  parentPort?.on('message', () => {
    if (!begun) {
      begun = true
      const headers = first.map((cell) => (typeof cell === 'string' ? cell.trim() : String(cell ?? '')).slice(0, 200))
      parentPort?.postMessage({ headers, total: Math.max(0, last - at + 1) } satisfies SheetHead)
      return
    }
    if (at > last) return void parentPort?.postMessage(null)
    const until = Math.min(last, at + size - 1)
    const rows = rowsOf(at, until)
    at = until + 1
    parentPort?.postMessage(rows)
  })
}

function open(): WorkBook {
  // Two: the header, and the row too many.
  const options = {
    sheetRows: task.rows + 2,
    dense: true,
    cellFormula: false,
    cellHTML: false,
    cellText: false,
    bookVBA: false,
  } as const
  const start = file.subarray(0, 4).toString('hex')
  const book = start === '504b0304' ? unpacked(file, task.bytes) : start === 'd0cf11e0' ? file : undefined
  if (book) return read(book, { ...options, type: 'buffer', sheets: 0 })
  return read(textOf(file), { ...options, type: 'string', raw: true })
}

function firstSheet(book: WorkBook) {
  const [name] = book.SheetNames
  return name === undefined ? undefined : book.Sheets[name]
}

/** Text with columns. Whoever exports it from an old program writes it in the code page of Western Europe. */
function textOf(bytes: Buffer): string {
  if (bytes.includes(0)) throw new Error('not text')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
