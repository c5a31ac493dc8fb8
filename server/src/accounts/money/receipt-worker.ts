import { parentPort, workerData } from 'node:worker_threads'
import { ink, margin, openSheet } from '../../kernel/papers/sheet.ts'
import type { ReceiptPaper } from './receipt.ts'

const { title, from, payer, rows, total } = workerData as ReceiptPaper
const { doc, write, rule, take, end } = openSheet(title)
/** Where the second column begins. */
const second = 230
const width = doc.page.width - margin - second

/** A row of two columns, as high as the longer of them. */
function row(term: string, what: string, size = 10): void {
  rule()
  doc.moveDown(0.8)
  const top = doc.y
  write(term, size > 10 ? 'bold' : 'plain', size, size > 10 ? ink.text : ink.soft, second - margin - 16)
  const left = doc.y
  doc.x = second
  doc.y = top
  write(what, size > 10 ? 'bold' : 'plain', size, ink.text, width)
  doc.x = margin
  doc.y = Math.max(left, doc.y)
  doc.moveDown(0.4)
}

write(title, 'bold', 18, ink.text)
doc.moveDown(0.8)
write(from, 'plain', 10, ink.soft)
doc.moveDown(0.3)
const [name = '', ...more] = payer
write(name, 'bold', 12, ink.text)
doc.moveDown(0.2)
for (const line of more) write(line, 'plain', 10, ink.text)
doc.moveDown(1)
for (const [term, what] of rows) row(term, what)
row(total[0], total[1], 13)
rule()
await end()
parentPort?.postMessage(take())
