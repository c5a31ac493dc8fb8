import { parentPort, workerData } from 'node:worker_threads'
import { inkColors, openPdfWriter, pageMarginPoints } from '../../kernel/exports/pdf-writer.ts'
import type { ReceiptContent } from './receipt.ts'

const { title, from, payer, rows, total } = workerData as ReceiptContent
const { doc, write, drawRule: rule, takeBytes: take, end } = openPdfWriter(title)
/** The x position of the second column. */
const secondColumnX = 230
const width = doc.page.width - pageMarginPoints - secondColumnX

/** Writes a row of two columns, as high as the longer column. */
function writeRow(term: string, what: string, size = 10): void {
  rule()
  doc.moveDown(0.8)
  const top = doc.y
  write(
    term,
    size > 10 ? 'bold' : 'plain',
    size,
    size > 10 ? inkColors.text : inkColors.soft,
    secondColumnX - pageMarginPoints - 16,
  )
  const left = doc.y
  doc.x = secondColumnX
  doc.y = top
  write(what, size > 10 ? 'bold' : 'plain', size, inkColors.text, width)
  doc.x = pageMarginPoints
  doc.y = Math.max(left, doc.y)
  doc.moveDown(0.4)
}

write(title, 'bold', 18, inkColors.text)
doc.moveDown(0.8)
write(from, 'plain', 10, inkColors.soft)
doc.moveDown(0.3)
const [name = '', ...more] = payer
write(name, 'bold', 12, inkColors.text)
doc.moveDown(0.2)
for (const line of more) write(line, 'plain', 10, inkColors.text)
doc.moveDown(1)
for (const [term, what] of rows) writeRow(term, what)
writeRow(total[0], total[1], 13)
rule()
await end()
parentPort?.postMessage(take())
