import { attributeOf, plainXml, xmlPieces } from '../../../kernel/files/xml-stream.ts'
import { partOf, streamOf } from '../../../kernel/files/zip-guard.ts'
import { type Cells, longestCell, mostColumns, type Rows } from './rows.ts'

/** What only names the parts of a workbook is short. */
const shortPart = 1024 * 1024
/** So much text may be kept once for all its cells: a hundred thousand people with name, number and address need a tenth. */
const mostWords = 96 * 1024 * 1024
/** Room for entities, which are longer than what they stand for. */
const longestRaw = longestCell * 6

/** Whether it is a workbook that is read here row by row. */
export const isXlsx = (file: Buffer): boolean => partOf(file, 'xl/workbook.xml', shortPart) !== null

/** A workbook whose first sheet can be read row by row, more than once. `most`: so much each of its parts unpacks to. */
export function openXlsx(file: Buffer, most: number): () => Rows {
  let words: Promise<Words> | undefined
  return async function* () {
    words ??= wordsOf(file, most)
    yield* rowsOf(file, await words, most)
  }
}

/** The file stays packed: of the sheet no more is held than a piece. */
async function* rowsOf(file: Buffer, words: Words, most: number): Rows {
  let at = -1
  let column = 0
  let cells: Cells = []
  let kind = 'n'
  let value = ''
  let isValue = false
  for await (const pieces of xmlPieces(streamOf(file, firstSheet(file), most))) {
    const rows: { at: number; cells: Cells }[] = []
    for (const piece of pieces) {
      if (piece.kind === 'text') {
        if (isValue && value.length < longestRaw) value += piece.text.slice(0, longestRaw)
        continue
      }
      const { name } = piece
      if (piece.kind === 'open') {
        if (name === 'row') {
          const said = Number(attributeOf(piece.attributes, 'r')) - 1
          at = said > at ? said : at + 1
          ;[cells, column] = [[], -1]
          if (piece.closes) rows.push({ at, cells })
        } else if (name === 'c') {
          column = columnOf(attributeOf(piece.attributes, 'r')) ?? column + 1
          kind = attributeOf(piece.attributes, 't') ?? 'n'
          value = ''
        } else if (name === 'v' || name === 't') isValue = !piece.closes
      } else if (name === 'row') rows.push({ at, cells })
      else if (name === 'v' || name === 't') isValue = false
      else if (name === 'c' && column < mostColumns) put(cells, column, cellOf(kind, value, words))
    }
    if (rows.length) yield rows
  }
}

function put(cells: Cells, column: number, value: unknown): void {
  if (value === '') return
  while (cells.length < column) cells.push('')
  cells[column] = value
}

function cellOf(kind: string, raw: string, words: Words): unknown {
  if (kind === 's') return raw === '' ? '' : words.at(Number(raw))
  if (kind === 'n' && raw !== '') {
    const number = Number(raw)
    return Number.isFinite(number) ? number : ''
  }
  // What a formula failed at is nothing.
  if (kind === 'e') return ''
  if (kind === 'b') return raw === '1'
  return plainXml(raw).slice(0, longestCell)
}

/** `AB12` is the 28th column, so 27. */
function columnOf(place: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/i.exec(place ?? '')?.[0].toUpperCase()
  if (!letters) return null
  return [...letters].reduce((n, letter) => n * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** Where the first sheet stands: the workbook names its parts in another part. */
function firstSheet(file: Buffer): string {
  const usual = 'xl/worksheets/sheet1.xml'
  const book = partOf(file, 'xl/workbook.xml', shortPart)?.toString('utf8') ?? ''
  const sheet = /<(?:\w{1,20}:)?sheet(\s[^<>]{1,1000})>/.exec(book)?.[1] ?? ''
  const id = /\s\w{1,20}:id="([^"<>]{1,200})"/.exec(sheet)?.[1]
  const links = partOf(file, 'xl/_rels/workbook.xml.rels', shortPart)?.toString('utf8') ?? ''
  for (const [, attributes = ''] of links.matchAll(/<(?:\w{1,20}:)?Relationship(\s[^<>]{1,2000})>/g)) {
    const target = attributeOf(attributes, 'Target')
    if (id !== undefined && target && attributeOf(attributes, 'Id') === id)
      return target.startsWith('/') ? target.slice(1) : `xl/${target}`
  }
  return usual
}

type Words = { at(n: number): string }

/**
 * The texts that cells refer to by number. As strings they would take five times the room: they stay bytes, one behind
 * the other, and where each ends.
 */
async function wordsOf(file: Buffer, most: number): Promise<Words> {
  let bytes = Buffer.alloc(65_536)
  let ends = new Uint32Array(4096)
  let [used, count] = [0, 0]
  function keep(text: string): void {
    const more = Buffer.from(plainXml(text).slice(0, longestCell))
    if (used + more.length > mostWords) throw new RangeError('too many words')
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
  /** How a word is pronounced stands beside it in East Asian sheets, and is none of it. */
  let isSound = false
  for await (const pieces of xmlPieces(streamOf(file, 'xl/sharedStrings.xml', most)))
    for (const piece of pieces) {
      if (piece.kind === 'text') {
        if (isText && !isSound && text.length < longestRaw) text += piece.text.slice(0, longestRaw)
        continue
      }
      const opens = piece.kind === 'open' && !piece.closes
      if (piece.name === 't') isText = opens
      else if (piece.name === 'rPh') isSound = opens
      else if (piece.name === 'si') {
        if (!opens) keep(text)
        text = ''
      }
    }
  return {
    at: (n) => (n >= 0 && n < count ? bytes.toString('utf8', n ? ends[n - 1] : 0, ends[n]) : ''),
  }
}
