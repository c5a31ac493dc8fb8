import { createReadStream } from 'node:fs'
import { maxCellChars, maxColumns, type SheetCells, type SheetRows } from './sheet-cells.ts'

type Encoding = 'utf-8' | 'windows-1252'

/** Reads CSV rows as a stream, with only a chunk of the file in memory. */
export async function* readCsvRows(path: string): SheetRows {
  const encoding = await detectEncoding(path)
  const parser = makeParser()
  let at = 0
  for await (const text of decodeFile(path, encoding)) {
    const rows = parser.read(text)
    if (rows.length) yield rows.map((cells) => ({ at: at++, cells }))
  }
  yield parser.end().map((cells) => ({ at: at++, cells }))
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

/** The most frequent candidate in the first row, outside quotes. Excel may write it in a separate row: `sep=;`. */
function detectSeparator(line: string): string {
  const bare = line.replaceAll(/"[^"]*"/g, '')
  const counts = separators.map((sign) => bare.split(sign).length)
  return separators[counts.indexOf(Math.max(...counts))] as string
}
const separatorLine = /^sep=(.)\r?\n/

/** Cells may be quoted and contain line breaks; a quote inside is doubled. */
function makeParser() {
  let separator = ''
  let begin = ''
  let cells: string[] = []
  let cell = ''
  let [inQuotes, afterQuote, afterReturn] = [false, false, false]

  const endCell = () => {
    if (cells.length < maxColumns) cells.push(cell)
    cell = ''
    afterQuote = false
  }
  const add = (text: string) => {
    if (cell.length < maxCellChars) cell += text.slice(0, maxCellChars - cell.length)
  }
  function walk(text: string): SheetCells[] {
    const rows: SheetCells[] = []
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const sign = text[at] as string
      if (inQuotes) {
        if (sign !== '"') continue
        add(text.slice(from, at))
        from = at + 1
        ;[inQuotes, afterQuote] = [false, true]
        continue
      }
      const isEnd = sign === '\n' || sign === '\r'
      if (sign === '"') {
        // A doubled quote is part of the cell. Otherwise a quote opens at the start of a cell, and is literal
        // elsewhere.
        if (afterQuote) add('"')
        else if (cell !== '' || from !== at) continue
        from = at + 1
        ;[inQuotes, afterQuote] = [true, false]
      } else if (sign === separator || isEnd) {
        const isSecond = sign === '\n' && afterReturn && from === at
        add(text.slice(from, at))
        from = at + 1
        if (!isSecond) {
          endCell()
          if (isEnd) {
            rows.push(cells)
            cells = []
          }
        }
      } else afterQuote = false
      afterReturn = sign === '\r'
    }
    add(text.slice(from))
    return rows
  }

  /** Collects text until the first row is complete, because the separator is not known before. */
  function settle(text: string, isLast: boolean): string {
    begin += text
    const written = begin.trimStart().slice(0, 10_000)
    const line = written.search(/[\r\n]/)
    if (line < 0 && written.length < 10_000 && !isLast) return ''
    const own = separatorLine.exec(begin)
    separator = own?.[1] ?? detectSeparator(line < 0 ? written : written.slice(0, line))
    return begin.slice(own?.[0].length ?? 0)
  }

  return {
    read: (text: string): SheetCells[] => walk(separator ? text : settle(text, false)),
    end(): SheetCells[] {
      const rows = separator ? [] : walk(settle('', true))
      if (cell !== '' || cells.length) {
        endCell()
        rows.push(cells)
      }
      return rows
    },
  }
}
