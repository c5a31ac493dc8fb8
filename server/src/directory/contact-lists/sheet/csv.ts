import { createReadStream } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { parse } from 'csv-parse'
import { maxCellChars, maxColumns, type SheetRows } from './sheet-cells.ts'

/** Longer than any row of contacts: this limit is reached only by a quote that is never closed. */
const maxRowBytes = 4 * maxColumns * maxCellChars
const rowsPerBatch = 500

type Encoding = 'utf-8' | 'windows-1252'

/** Reads CSV rows as a stream, with only a chunk of the file in memory. */
export async function* readCsvRows(path: string): SheetRows {
  const encoding = await detectEncoding(path)
  const { delimiter, hasSeparatorLine } = await detectSeparator(path, encoding)
  const parser = parse({
    delimiter,
    from_line: hasSeparatorLine ? 2 : 1,
    record_delimiter: ['\r\n', '\n', '\r'],
    // A quote inside a cell is literal, and rows may have any number of columns: spreadsheets write both.
    relax_quotes: true,
    relax_column_count: true,
    max_record_size: maxRowBytes,
    on_record: (cells: string[]) => cells.slice(0, maxColumns).map((cell) => cell.slice(0, maxCellChars)),
  })
  // An error of either stream ends the loop below.
  pipeline(Readable.from(decodeFile(path, encoding)), parser, () => {})
  let at = 0
  let batch: { at: number; cells: string[] }[] = []
  for await (const cells of parser as AsyncIterable<string[]>) {
    batch.push({ at: at++, cells })
    if (batch.length < rowsPerBatch) continue
    yield batch
    batch = []
  }
  yield batch
}

/** Detects the encoding: exports of old programs use the Western European code page. */
async function detectEncoding(path: string): Promise<Encoding> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    if (chunk.includes(0)) throw new Error('not text')
    if (isUtf8)
      try {
        decoder.decode(chunk, { stream: true })
      } catch {
        isUtf8 = false
      }
  }
  return isUtf8 ? 'utf-8' : 'windows-1252'
}

async function* decodeFile(path: string, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>)
    yield decoder.decode(chunk, { stream: true })
}

const separators = [';', ',', '\t', '|']
/** Excel may write the separator in a row of its own. */
const separatorLine = /^sep=(.)\r?\n/
const detectionChars = 10_000

/** The most frequent candidate in the first row that has text, outside quotes. */
async function detectSeparator(path: string, encoding: Encoding) {
  let beginning = ''
  for await (const text of decodeFile(path, encoding)) {
    beginning += text.slice(0, detectionChars)
    if (beginning.length >= 10 * detectionChars || beginning.trimStart().length >= detectionChars) break
  }
  const separatorOfLine = separatorLine.exec(beginning)?.[1]
  if (separatorOfLine) return { delimiter: separatorOfLine, hasSeparatorLine: true }
  const [firstRow = ''] = beginning
    .trimStart()
    .slice(0, detectionChars)
    .split(/[\r\n]/)
  const unquoted = firstRow.replaceAll(/"[^"]*"/g, '')
  const counts = separators.map((sign) => unquoted.split(sign).length)
  return { delimiter: separators[counts.indexOf(Math.max(...counts))] as string, hasSeparatorLine: false }
}
