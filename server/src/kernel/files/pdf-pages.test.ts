import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeDemoPdf } from '../../../demo/media/pdf.ts'
import { countPdfPages } from './pdf-pages.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pages-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function pagesOf(content: string | Buffer, size?: number): Promise<number | null> {
  const file = join(folder, 'one.pdf')
  await writeFile(file, content)
  return countPdfPages(file, size ?? content.length)
}
const tree = (count: number) =>
  `<< /Type /Outlines /Count 900 >> << /Kids [4 0 R] /Resources << /Font << >> >> /Count ${count} /Type /Pages >> << /Type /Page >>`
const packed = (objects: string) => {
  const stream = deflateSync(Buffer.from(objects))
  return Buffer.concat([
    Buffer.from(`%PDF-1.7\n7 0 obj << /Type /ObjStm /N 3 /Filter /FlateDecode >>\nstream\r\n`),
    stream,
    Buffer.from('\nendstream endobj\n'),
  ])
}

it('takes the page count from the root of the page tree, whatever counts bookmarks and branches have', async () => {
  expect(await pagesOf(makeDemoPdf('Factura', ['uno']))).toBe(1)
  expect(await pagesOf(`%PDF-1.4\n1 0 obj ${tree(12)} endobj 2 0 obj ${tree(5)} endobj`)).toBe(12)
})

it('finds the page count in documents with compressed objects', async () => {
  expect(await pagesOf(packed(tree(34)))).toBe(34)
})

it('returns no page count if the document declares none, is broken, unpacks endlessly or is too large', async () => {
  expect(await pagesOf('%PDF-1.4\n1 0 obj<<>>endobj')).toBeNull()
  expect(await pagesOf('%PDF-1.7 /Type /ObjStm >> stream\nnot packed at all endstream')).toBeNull()
  expect(await pagesOf(packed(`${tree(3)}${' '.repeat(9_000_000)}`))).toBeNull()
  expect(await pagesOf(makeDemoPdf('Factura', []), 17 * 1024 * 1024)).toBeNull()
  const began = process.threadCpuUsage()
  await pagesOf(`%PDF-1.4\n${'/Type/Pages'.repeat(1_000_000)}`)
  await pagesOf(`%PDF-1.4\n${'/Type/ObjStm stream\n'.repeat(500_000)}`)
  expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(12_000)
})
