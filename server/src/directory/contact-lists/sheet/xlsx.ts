import { decodeXmlEntities, parseXmlStream, readXmlAttribute } from '../../../kernel/files/xml-stream.ts'
import { readZipPart, streamZipPart } from '../../../kernel/files/zip-reader.ts'
import { maxCellChars, maxColumns, type SheetCells, type SheetRows } from './sheet-cells.ts'

/** Limit for parts that only name other parts of a workbook. */
const maxShortPartBytes = 1024 * 1024
/** Limit for shared strings: a hundred thousand people with name, number and address need a tenth. */
const maxSharedTextBytes = 96 * 1024 * 1024
/** A raw cell may be longer than its text: XML entities are longer than the characters they encode. */
const maxRawCellChars = maxCellChars * 6

/** Whether the file is a workbook in the new format, which can be read row by row. */
export const isXlsx = (file: Buffer): boolean => readZipPart(file, 'xl/workbook.xml', maxShortPartBytes) !== null

/** A workbook whose first sheet can be read row by row, several times. `maxPartBytes`: unpacked size limit per part. */
export function openXlsx(file: Buffer, maxPartBytes: number): () => SheetRows {
  let words: Promise<SharedTexts> | undefined
  return async function* () {
    words ??= readSharedTexts(file, maxPartBytes)
    yield* readRows(file, await words, maxPartBytes)
  }
}

/** The file stays compressed: only a chunk of the sheet is in memory. */
async function* readRows(file: Buffer, words: SharedTexts, maxPartBytes: number): SheetRows {
  let at = -1
  let column = 0
  let cells: SheetCells = []
  let kind = 'n'
  let value = ''
  let isValue = false
  for await (const pieces of parseXmlStream(streamZipPart(file, findFirstSheet(file), maxPartBytes))) {
    const rows: { at: number; cells: SheetCells }[] = []
    for (const piece of pieces) {
      if (piece.kind === 'text') {
        if (isValue && value.length < maxRawCellChars) value += piece.text.slice(0, maxRawCellChars)
        continue
      }
      const { name } = piece
      if (piece.kind === 'open') {
        if (name === 'row') {
          const said = Number(readXmlAttribute(piece.attributes, 'r')) - 1
          at = said > at ? said : at + 1
          ;[cells, column] = [[], -1]
          if (piece.closes) rows.push({ at, cells })
        } else if (name === 'c') {
          column = columnIndex(readXmlAttribute(piece.attributes, 'r')) ?? column + 1
          kind = readXmlAttribute(piece.attributes, 't') ?? 'n'
          value = ''
        } else if (name === 'v' || name === 't') isValue = !piece.closes
      } else if (name === 'row') rows.push({ at, cells })
      else if (name === 'v' || name === 't') isValue = false
      else if (name === 'c' && column < maxColumns) putCell(cells, column, parseCell(kind, value, words))
    }
    if (rows.length) yield rows
  }
}

function putCell(cells: SheetCells, column: number, value: unknown): void {
  if (value === '') return
  while (cells.length < column) cells.push('')
  cells[column] = value
}

function parseCell(kind: string, raw: string, words: SharedTexts): unknown {
  if (kind === 's') return raw === '' ? '' : words.at(Number(raw))
  if (kind === 'n' && raw !== '') {
    const number = Number(raw)
    return Number.isFinite(number) ? number : ''
  }
  // An error value counts as empty.
  if (kind === 'e') return ''
  if (kind === 'b') return raw === '1'
  return decodeXmlEntities(raw).slice(0, maxCellChars)
}

/** The index of a column: in `AB12` it is 27, because AB is the 28th column. */
function columnIndex(place: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/i.exec(place ?? '')?.[0].toUpperCase()
  if (!letters) return null
  return [...letters].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** The path of the first sheet: the workbook lists its parts in another part. */
function findFirstSheet(file: Buffer): string {
  const usual = 'xl/worksheets/sheet1.xml'
  const book = readZipPart(file, 'xl/workbook.xml', maxShortPartBytes)?.toString('utf8') ?? ''
  const sheet = /<(?:\w{1,20}:)?sheet(\s[^<>]{1,1000})>/.exec(book)?.[1] ?? ''
  const id = /\s\w{1,20}:id="([^"<>]{1,200})"/.exec(sheet)?.[1]
  const links = readZipPart(file, 'xl/_rels/workbook.xml.rels', maxShortPartBytes)?.toString('utf8') ?? ''
  for (const [, attributes = ''] of links.matchAll(/<(?:\w{1,20}:)?Relationship(\s[^<>]{1,2000})>/g)) {
    const target = readXmlAttribute(attributes, 'Target')
    if (id !== undefined && target && readXmlAttribute(attributes, 'Id') === id)
      return target.startsWith('/') ? target.slice(1) : `xl/${target}`
  }
  return usual
}

type SharedTexts = { at(n: number): string }

/**
 * The shared strings that cells refer to by number. JavaScript strings would take five times the memory, so the text stays
 * in one buffer of bytes, with the end position of each string.
 */
async function readSharedTexts(file: Buffer, maxPartBytes: number): Promise<SharedTexts> {
  let bytes = Buffer.alloc(65_536)
  let ends = new Uint32Array(4096)
  let [used, count] = [0, 0]
  function storeSharedText(text: string): void {
    const more = Buffer.from(decodeXmlEntities(text).slice(0, maxCellChars))
    if (used + more.length > maxSharedTextBytes) throw new RangeError('too many words')
    while (used + more.length > bytes.length) bytes = Buffer.concat([bytes], bytes.length * 2)
    more.copy(bytes, used)
    used += more.length
    if (count === ends.length) {
      const longer = new Uint32Array(ends.length * 2)
      longer.set(ends)
      ends = longer
    }
    ends[count++] = used
  }
  let text = ''
  let isText = false
  /** Phonetic text beside a word in East Asian sheets is not part of the cell's text. */
  let isSound = false
  for await (const pieces of parseXmlStream(streamZipPart(file, 'xl/sharedStrings.xml', maxPartBytes)))
    for (const piece of pieces) {
      if (piece.kind === 'text') {
        if (isText && !isSound && text.length < maxRawCellChars) text += piece.text.slice(0, maxRawCellChars)
        continue
      }
      const opens = piece.kind === 'open' && !piece.closes
      if (piece.name === 't') isText = opens
      else if (piece.name === 'rPh') isSound = opens
      else if (piece.name === 'si') {
        if (!opens) storeSharedText(text)
        text = ''
      }
    }
  return {
    at: (n) => (n >= 0 && n < count ? bytes.toString('utf8', n ? ends[n - 1] : 0, ends[n]) : ''),
  }
}
