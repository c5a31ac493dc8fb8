import PDFDocument from 'pdfkit'
import { fontFiles, runsOf } from './fonts.ts'

export type Face = 'plain' | 'bold'
export type Sheet = ReturnType<typeof openSheet>

export const margin = 48
export const ink = { text: '#1d2327', soft: '#5b6570', line: '#d8dde2' }

/** A line is laid out as a whole: one without end is cut where nobody would miss it. */
const mostOfLine = 2000
const linesOf = (text: string) =>
  text.split(/\r?\n/).flatMap((line) => {
    const signs = [...line.replace(/\p{Cc}/gu, ' ')]
    const pieces: string[] = []
    for (let at = 0; at < signs.length; at += mostOfLine) pieces.push(signs.slice(at, at + mostOfLine).join(''))
    return pieces.length ? pieces : ['']
  })

/** A PDF on A4 that writes in whatever signs people write. For threads of their own: fonts are dear to open. */
export function openSheet(title: string) {
  const doc = new PDFDocument({ size: 'A4', margin, info: { Title: title, Producer: 'Recado' } })
  let chunks: Buffer[] = []
  doc.on('data', (chunk: Buffer) => chunks.push(chunk))
  doc.registerFont('plain', fontFiles.plain)
  doc.registerFont('bold', fontFiles.bold)

  /** Which signs a font of ours has: the library opened it already. */
  function has(name: Face): (sign: number) => boolean {
    doc.font(name)
    // The types do not know the font that is open.
    const { font } = Reflect.get(doc, '_font') as { font: { hasGlyphForCodePoint(sign: number): boolean } }
    return (sign) => font.hasGlyphForCodePoint(sign)
  }
  const known = { plain: has('plain'), bold: has('bold') }

  return {
    doc,
    write(text: string, face: Face, size: number, color: string, width?: number): void {
      doc.fontSize(size).fillColor(color)
      for (const line of linesOf(text)) {
        const runs = runsOf(line, known[face])
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
        .moveTo(margin, doc.y + 2)
        .lineTo(doc.page.width - margin, doc.y + 2)
        .lineWidth(0.5)
        .strokeColor(ink.line)
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
