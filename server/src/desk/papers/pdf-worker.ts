import { parentPort, workerData } from 'node:worker_threads'
import PDFDocument from 'pdfkit'
import { fontFiles, runsOf } from './fonts.ts'
import type { PdfEntry, PdfPiece, PdfTask } from './pdf.ts'

const { head } = workerData as PdfTask
const ink = { text: '#1d2327', soft: '#5b6570', line: '#d8dde2' }
const doc = new PDFDocument({ size: 'A4', margin: 48, info: { Title: head.title, Producer: 'Recado' } })
let chunks: Buffer[] = []
doc.on('data', (chunk: Buffer) => chunks.push(chunk))
doc.registerFont('plain', fontFiles.plain)
doc.registerFont('bold', fontFiles.bold)

/** Which signs a font of ours has: the library opened it already. */
function has(name: string): (sign: number) => boolean {
  doc.font(name)
  // The types do not know the font that is open.
  const { font } = Reflect.get(doc, '_font') as { font: { hasGlyphForCodePoint(sign: number): boolean } }
  return (sign) => font.hasGlyphForCodePoint(sign)
}
const known = { plain: has('plain'), bold: has('bold') }

/** A line is laid out as a whole: one without end is cut where nobody would miss it. */
const mostOfLine = 2000
const linesOf = (text: string) =>
  text.split(/\r?\n/).flatMap((line) => {
    const signs = [...line.replace(/\p{Cc}/gu, ' ')]
    const pieces: string[] = []
    for (let at = 0; at < signs.length; at += mostOfLine) pieces.push(signs.slice(at, at + mostOfLine).join(''))
    return pieces.length ? pieces : ['']
  })

function write(text: string, face: 'plain' | 'bold', size: number, color: string): void {
  doc.fontSize(size).fillColor(color)
  for (const line of linesOf(text)) {
    const runs = runsOf(line, known[face])
    if (!runs.length) doc.font(face).text(' ')
    runs.forEach((run, i) => {
      doc.font(run.font === 'text' ? face : run.font).text(run.text, { continued: i < runs.length - 1 })
    })
  }
  doc.font(face)
}

function draw(entry: PdfEntry): void {
  if (entry.chapter) {
    doc.moveDown(0.8)
    write(entry.chapter, 'bold', 9, ink.soft)
    doc
      .moveTo(48, doc.y + 2)
      .lineTo(doc.page.width - 48, doc.y + 2)
      .lineWidth(0.5)
      .strokeColor(ink.line)
      .stroke()
    doc.moveDown(0.4)
  }
  doc.moveDown(0.5)
  write(
    [entry.who, entry.at, ...entry.marks].filter(Boolean).join(' · '),
    'bold',
    8,
    entry.fromMe ? '#1f7a4d' : ink.soft,
  )
  if (entry.quoted) write(`${entry.answer}: ${entry.quoted.text}`, 'plain', 8.5, ink.soft)
  const name = [entry.kind && `[${entry.kind}]`, entry.fileName].filter(Boolean).join(' ')
  if (!(entry.image && place(entry.image)) && name) write(name, 'plain', 10, ink.soft)
  if (entry.text) write(entry.text, 'plain', 10, ink.text)
  if (entry.transcript) write(`${head.transcript}: ${entry.transcript}`, 'plain', 9, ink.soft)
  if (entry.reactions) write(entry.reactions, 'plain', 9, ink.soft)
}

/** The types do not know that the library opens pictures before it places them. */
const opener = doc as unknown as { openImage(bytes: Buffer): { width: number; height: number } }

/** A picture that is broken stands there by its name. */
function place(bytes: Uint8Array): boolean {
  const fit: [number, number] = [260, 200]
  try {
    // Opened first: where it stands decides whether it needs a new page.
    const image = opener.openImage(Buffer.from(bytes))
    const height = Math.min(fit[1], (image.height * Math.min(fit[0], image.width)) / image.width)
    if (doc.y + height > doc.page.height - 48) doc.addPage()
    doc.image(image as never, { fit })
    doc.x = 48
    return true
  } catch {
    return false
  }
}

let any = false
write(head.title, 'bold', 15, ink.text)
for (const line of head.lines) write(line, 'plain', 9, ink.soft)

parentPort?.on('message', async ({ entries, end }: PdfPiece) => {
  for (const entry of entries) draw(entry)
  any ||= entries.length > 0
  if (end) {
    if (!any) write(head.none, 'plain', 10, ink.soft)
    const ended = new Promise((resolve) => doc.once('end', resolve))
    doc.end()
    await ended
  }
  const bytes = Buffer.concat(chunks)
  chunks = []
  parentPort?.postMessage(new Uint8Array(bytes))
})
