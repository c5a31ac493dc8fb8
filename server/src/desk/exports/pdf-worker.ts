import { parentPort, workerData } from 'node:worker_threads'
import { inkColors, openPdfWriter, pageMarginPoints } from '../../kernel/exports/pdf-writer.ts'
import type { PdfBatch, PdfEntry, PdfTask } from './pdf.ts'

const { head } = workerData as PdfTask
const { doc, write, drawRule: rule, takeBytes: take, end: close } = openPdfWriter(head.title)

function drawEntry(entry: PdfEntry): void {
  if (entry.chapter) {
    doc.moveDown(0.8)
    write(entry.chapter, 'bold', 9, inkColors.soft)
    rule()
    doc.moveDown(0.4)
  }
  doc.moveDown(0.5)
  write(
    [entry.who, entry.at, ...entry.marks].filter(Boolean).join(' · '),
    'bold',
    8,
    entry.fromMe ? '#1f7a4d' : inkColors.soft,
  )
  if (entry.quoted) write(`${entry.answer}: ${entry.quoted.text}`, 'plain', 8.5, inkColors.soft)
  const name = [entry.kind && `[${entry.kind}]`, entry.fileName].filter(Boolean).join(' ')
  if (!(entry.image && placePicture(entry.image)) && name) write(name, 'plain', 10, inkColors.soft)
  if (entry.text) write(entry.text, 'plain', 10, inkColors.text)
  if (entry.transcript) write(`${head.transcript}: ${entry.transcript}`, 'plain', 9, inkColors.soft)
  if (entry.reactions) write(entry.reactions, 'plain', 9, inkColors.soft)
}

/** The library can open images before it places them, but its types lack this method. */
const imageOpener = doc as unknown as { openImage(bytes: Buffer): { width: number; height: number } }

/** A broken image is replaced by its name. */
function placePicture(bytes: Uint8Array): boolean {
  const fit: [number, number] = [260, 200]
  try {
    // The image is opened first, because its height decides whether it needs a new page.
    const image = imageOpener.openImage(Buffer.from(bytes))
    const height = Math.min(fit[1], (image.height * Math.min(fit[0], image.width)) / image.width)
    if (doc.y + height > doc.page.height - pageMarginPoints) doc.addPage()
    doc.image(image as never, { fit })
    doc.x = pageMarginPoints
    return true
  } catch {
    return false
  }
}

let any = false
write(head.title, 'bold', 15, inkColors.text)
for (const line of head.lines) write(line, 'plain', 9, inkColors.soft)

parentPort?.on('message', async ({ entries, isLast: end }: PdfBatch) => {
  for (const entry of entries) drawEntry(entry)
  any ||= entries.length > 0
  if (end) {
    if (!any) write(head.none, 'plain', 10, inkColors.soft)
    await close()
  }
  parentPort?.postMessage(take())
})
