import PDFDocument from 'pdfkit'
import { fontFiles, splitByFont } from './pdf-fonts.ts'

export type FontWeight = 'plain' | 'bold'
export type PdfWriter = ReturnType<typeof openPdfWriter>

export const pageMarginPoints = 48
export const inkColors = { text: '#1d2327', soft: '#5b6570', line: '#d8dde2' }

/** A line is laid out as a whole: one without end is cut where nobody would miss it. */
const maxLineChars = 2000
const splitLines = (text: string) =>
  text.split(/\r?\n/).flatMap((line) => {
    const signs = [...line.replace(/\p{Cc}/gu, ' ')]
    const pieces: string[] = []
    for (let at = 0; at < signs.length; at += maxLineChars) pieces.push(signs.slice(at, at + maxLineChars).join(''))
    return pieces.length ? pieces : ['']
  })

/** A PDF on A4 that writes in whatever signs people write. For threads of their own: fonts are dear to open. */
export function openPdfWriter(title: string) {
  const doc = new PDFDocument({ size: 'A4', margin: pageMarginPoints, info: { Title: title, Producer: 'Recado' } })
  let chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  doc.registerFont('plain', fontFiles.plain)
  doc.registerFont('bold', fontFiles.bold)

  /** Which signs a font of ours has: the library opened it already. */
  function has(name: FontWeight): (sign: number) => boolean {
    doc.font(name)
    // The types do not know the font that is open.
    const { font } = Reflect.get(doc, '_font') as { font: { hasGlyphForCodePoint(sign: number): boolean } }
    return (sign) => font.hasGlyphForCodePoint(sign)
  }
  const known = { plain: has('plain'), bold: has('bold') }

  return {
    doc,
    write(text: string, face: FontWeight, size: number, color: string, width?: number): void {
      doc.fontSize(size).fillColor(color)
      for (const line of splitLines(text)) {
        const runs = splitByFont(line, known[face])
        if (!runs.length) doc.font(face).text(' ')
        runs.forEach((run, i) => {
          const continued = i < runs.length - 1
          doc.font(run.font === 'text' ? face : run.font).text(run.text, { continued, ...(width && { width }) })
        })
      }
      doc.font(face)
    },
    /** A hair across the page. */
    rule(): void {
      doc
        .moveTo(pageMarginPoints, doc.y + 2)
        .lineTo(doc.page.width - pageMarginPoints, doc.y + 2)
        .lineWidth(0.5)
        .strokeColor(inkColors.line)
        .stroke()
    },
    /** What was drawn since it was last taken. */
    take(): Uint8Array {
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
