import { parentPort, workerData } from 'node:worker_threads'
import { ink, margin, openSheet } from '../../kernel/papers/sheet.ts'
import type { PdfEntry, PdfPiece, PdfTask } from './pdf.ts'

const { head } = workerData as PdfTask
const { doc, write, rule, take, end: close } = openSheet(head.title)

function draw(entry: PdfEntry): void {
  if (entry.chapter) {
    doc.moveDown(0.8)
    write(entry.chapter, 'bold', 9, ink.soft)
    rule()
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
    if (doc.y + height > doc.page.height - margin) doc.addPage()
    doc.image(image as never, { fit })
    doc.x = margin
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
    await close()
  }
  parentPort?.postMessage(take())
})
