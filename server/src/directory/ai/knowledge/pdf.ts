import type { TextBlock } from './cut-pieces.ts'

type Item = { str: string; height: number; hasEOL: boolean; transform: number[] }
type Line = { text: string; height: number; y: number }
type Document = {
  numPages: number
  getPage(n: number): Promise<{ getTextContent(): Promise<{ items: object[] }>; cleanup(): unknown }>
}

/** Memory limit per page: the heap limit does not count a stream that unpacks without end. */
const maxPageBytes = 96 * 1024 * 1024
let allocatedBytes = 0

/**
 * The PDF reader unpacks into growing byte arrays. In this thread their bytes are counted for each page, and an array over
 * the limit is refused before it is allocated.
 */
function countBytes(): void {
  const Plain = globalThis.Uint8Array
  globalThis.Uint8Array = new Proxy(Plain, {
    construct(target, args, newTarget) {
      if (typeof args[0] === 'number') {
        allocatedBytes += args[0]
        if (allocatedBytes > maxPageBytes) throw new RangeError('unpacks to too much')
      }
      return Reflect.construct(target, args, newTarget)
    },
  })
}

/** Reads a PDF page by page. An unreadable page is skipped, because the other pages are still useful. */
export async function* readPdf(
  file: Buffer,
  mostPages: number,
): AsyncGenerator<{ stretches: TextBlock[]; of: number }> {
  const { getDocumentProxy } = await import('unpdf')
  const bytes = new Uint8Array(file)
  countBytes()
  const quiet = { verbosity: 0, isEvalSupported: false, disableFontFace: true, useSystemFonts: false, enableXfa: false }
  const document: Document = await getDocumentProxy(bytes, quiet)
  if (document.numPages > mostPages) throw new RangeError('too many pages')
  for (let n = 1; n <= document.numPages; n++) {
    allocatedBytes = 0
    const stretches = await readPage(document, n).catch((error) => {
      if (error instanceof RangeError || allocatedBytes > maxPageBytes) throw new RangeError('unpacks to too much')
      return []
    })
    yield { stretches, of: document.numPages }
  }
}

async function readPage(document: Document, n: number): Promise<TextBlock[]> {
  const page = await document.getPage(n)
  const { items } = await page.getTextContent()
  page.cleanup()
  return toParagraphs(toLines(items as Item[]), n)
}

function toLines(items: Item[]): Line[] {
  const lines: Line[] = []
  let line: Line | undefined
  for (const { str, height, hasEOL, transform } of items) {
    if (str) {
      line ??= { text: '', height: 0, y: transform[5] ?? 0 }
      line.text += str
      line.height = Math.max(line.height, height)
    }
    if (hasEOL && line) {
      lines.push(line)
      line = undefined
    }
  }
  if (line) lines.push(line)
  return lines.filter(({ text }) => text.trim())
}

/** Text rows close together form a paragraph; a short row in larger letters is the heading of the next paragraph. */
function toParagraphs(lines: Line[], page: number): TextBlock[] {
  const usual = commonHeight(lines)
  const stretches: TextBlock[] = []
  let heading = ''
  let open: TextBlock | undefined
  let before: Line | undefined
  for (const line of lines) {
    const text = line.text.trim()
    if (line.height > usual * 1.15 && text.length < 120) {
      heading = before && before.height === line.height && !open ? `${heading} ${text}`.trim() : text
      open = undefined
    } else if (open && before && Math.abs(before.y - line.y) < usual * 1.9)
      // A word that is hyphenated at the end of a text row is joined again.
      open.text = /\p{L}-$/u.test(open.text) ? open.text.slice(0, -1) + text : `${open.text} ${text}`
    else {
      open = { heading, text, at: page }
      stretches.push(open)
    }
    before = line
  }
  // If a page has only large letters, its heading is used as text.
  return stretches.length || !heading ? stretches : [{ heading: '', text: heading, at: page }]
}

/** The most frequent letter height. */
function commonHeight(lines: Line[]): number {
  const chars = new Map<number, number>()
  for (const { height, text } of lines) chars.set(height, (chars.get(height) ?? 0) + text.length)
  return [...chars].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0
}
