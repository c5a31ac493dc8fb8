import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { read, utils, type WorkBook } from '@e965/xlsx'
import { repackUncompressed } from '../../kernel/files/zip-reader.ts'

/** Runs in a worker thread: a file that crashes or blocks the parser ends only the thread (see contact-sheet.ts). */
export type ContactSheetTask = { path: string; rows: number; bytes: number }

const task = workerData as ContactSheetTask
const file = readFileSync(task.path)
const sheet = firstSheet(openWorkbook())
// One row more than allowed is read, to detect that the sheet is too long.
const rows = sheet ? utils.sheet_to_json<Record<string, unknown>>(sheet, { raw: true, blankrows: false }) : []
// The rows are sent as JSON text: a route that only passes them on need not parse them again.
parentPort?.postMessage({ count: rows.length, json: JSON.stringify(rows.slice(0, task.rows)) })

function openWorkbook(): WorkBook {
  // Two more rows than allowed: the header, and one row that shows the excess.
  const options = {
    sheetRows: task.rows + 2,
    dense: true,
    cellFormula: false,
    cellHTML: false,
    cellText: false,
    bookVBA: false,
  } as const
  const start = file.subarray(0, 4).toString('hex')
  const book = start === '504b0304' ? repackUncompressed(file, task.bytes) : start === 'd0cf11e0' ? file : undefined
  if (book) return read(book, { ...options, type: 'buffer', sheets: 0 })
  return read(decodeText(file), { ...options, type: 'string', raw: true })
}

function firstSheet(book: WorkBook) {
  const [name] = book.SheetNames
  return name === undefined ? undefined : book.Sheets[name]
}

/** Decodes CSV. Exports of old programs use the Western European code page. */
function decodeText(bytes: Buffer): string {
  if (bytes.includes(0)) throw new Error('not text')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
