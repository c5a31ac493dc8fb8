import PDFDocument from 'pdfkit'
import { fontFiles, splitByFont } from './pdf-fonts.ts'

export type FontWeight = 'plain' | 'bold'
export type PdfWriter = ReturnType<typeof openPdfWriter>

export const pageMarginPoints = 48
export const inkColors = { text: '#1d2327', soft: '#5b6570', line: '#d8dde2' }

/** A row of text is laid out as a whole, so an extremely long row is cut. */
const maxLineChars = 2000
const splitLines = (text: string) =>
  text.split(/\r?\n/).flatMap((line) => {
    const chars = [...line.replace(/\p{Cc}/gu, ' ')]
    const pieces: string[] = []
    for (let at = 0; at < chars.length; at += maxLineChars) pieces.push(chars.slice(at, at + maxLineChars).join(''))
    return pieces.length ? pieces : ['']
  })

/** Writes a PDF on A4 with text in any script. For worker threads, because fonts are expensive to open. */
export function openPdfWriter(title: string) {
  const doc = new PDFDocument({ size: 'A4', margin: pageMarginPoints, info: { Title: title, Producer: 'Recado' } })
  let chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  doc.registerFont('plain', fontFiles.plain)
  doc.registerFont('bold', fontFiles.bold)

  /** A function that tells which characters a font has. The PDF library has already opened the font. */
  function glyphCheck(name: FontWeight): (sign: number) => boolean {
    doc.font(name)
    // The types do not expose the current font.
    const { font } = Reflect.get(doc, '_font') as { font: { hasGlyphForCodePoint(sign: number): boolean } }
    return (sign) => font.hasGlyphForCodePoint(sign)
  }
  const hasGlyph = { plain: glyphCheck('plain'), bold: glyphCheck('bold') }

  return {
    doc,
    write(text: string, weight: FontWeight, size: number, color: string, width?: number): void {
      doc.fontSize(size).fillColor(color)
      for (const line of splitLines(text)) {
        const runs = splitByFont(line, hasGlyph[weight])
        if (!runs.length) doc.font(weight).text(' ')
        runs.forEach((run, i) => {
          const continued = i < runs.length - 1
          doc.font(run.font === 'text' ? weight : run.font).text(run.text, { continued, ...(width && { width }) })
        })
      }
      doc.font(weight)
    },
    /** Draws a thin horizontal rule across the page. */
    drawRule(): void {
      doc
        .moveTo(pageMarginPoints, doc.y + 2)
        .lineTo(doc.page.width - pageMarginPoints, doc.y + 2)
        .lineWidth(0.5)
        .strokeColor(inkColors.line)
        .stroke()
    },
    /** Returns the output since the last call. */
    takeBytes(): Uint8Array {
      const bytes = Buffer.concat(chunks)
      chunks = []
      return new Uint8Array(bytes)
    },
    async end(): Promise<void> {
      const ended = new Promise((resolve) => doc.once('end', resolve))
      doc.end()
      await ended
    },
  }
}
