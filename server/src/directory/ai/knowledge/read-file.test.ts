import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeDocx, makePdf, makeZip } from '../../../../test/documents.ts'
import type { SourcePiece } from './cut-pieces.ts'
import type { KnowledgeFileKind } from './knowledge-worker.ts'
import { detectKnowledgeKind, knowledgeReadLimits, readPiecesInWorker } from './read-file.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recado-knowledge-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function read(
  kind: KnowledgeFileKind,
  content: Buffer | string,
  limits = knowledgeReadLimits,
): Promise<SourcePiece[]> {
  const path = join(folder, `paper.${kind}`)
  await writeFile(path, content)
  const pieces: SourcePiece[] = []
  for await (const batch of readPiecesInWorker(path, kind, limits)) pieces.push(...batch.pieces)
  return pieces
}
const refusal = (kind: KnowledgeFileKind, content: Buffer | string, limits = knowledgeReadLimits) =>
  read(kind, content, limits).then(
    () => 'read',
    (error) => error.code,
  )

describe('an uploaded document', () => {
  it('is read by page, with the headings', async () => {
    const pieces = await read(
      'pdf',
      makePdf([
        ['Horarios', 'Abrimos a las nueve y ce-', 'rramos a las seis.'],
        ['Envíos', 'Enviamos a todo el país.'],
      ]),
    )
    expect(pieces).toEqual([
      { heading: 'Horarios', text: 'Abrimos a las nueve y cerramos a las seis.', at: 1 },
      { heading: 'Envíos', text: 'Enviamos a todo el país.', at: 2 },
    ])
  })

  it('is read as paragraphs and tables under their headings', async () => {
    const pieces = await read(
      'docx',
      makeDocx('# Cambios', 'Treinta días &amp; con ticket.', 'Talle | Precio', '# Pagos', 'Con tarjeta.'),
    )
    expect(pieces).toEqual([
      { heading: 'Cambios', text: 'Treinta días & con ticket.\nTalle | Precio', at: 1 },
      { heading: 'Pagos', text: 'Con tarjeta.', at: 2 },
    ])
    expect(await read('md', '# Uno\n\nhola\n\n## Dos ##\nchau')).toEqual([
      { heading: 'Uno', text: 'hola', at: 1 },
      { heading: 'Dos', text: 'chau', at: 2 },
    ])
    expect(await read('txt', Buffer.from('A\xf1os atr\xe1s', 'latin1'))).toEqual([
      { heading: '', text: 'Años atrás', at: 1 },
    ])
  })

  it('is read as rows with column names, and as questions with their answers', async () => {
    expect(await read('csv', 'Producto;Precio\nTaza;10\n;\nPlato;12')).toEqual([
      { heading: '', text: 'Producto: Taza\nPrecio: 10', at: 2 },
      { heading: '', text: 'Producto: Plato\nPrecio: 12', at: 4 },
    ])
    expect(await read('csv', 'Pregunta,Respuesta,Zona\n¿Abren hoy?,"Sí, hasta las 6",Centro')).toEqual([
      { heading: '¿Abren hoy?', text: 'Sí, hasta las 6\nZona: Centro', at: 2 },
    ])
  })

  it('is split at the end of a sentence', async () => {
    const sentence = 'Una frase que dice algo útil de verdad. '
    const pieces = await read('txt', sentence.repeat(100))
    expect(pieces.length).toBeGreaterThan(4)
    expect(pieces.every(({ text }) => text.length <= 1200 && text.endsWith('.'))).toBe(true)
    expect(pieces.map(({ text }) => text).join(' ')).toBe(sentence.repeat(100).trim())
  })
})

describe('a malicious document', () => {
  it('is refused if it unpacks to too much data', async () => {
    const bomb = Buffer.alloc(50 * 1024 * 1024, ' ')
    expect(await refusal('docx', makeZip({ 'word/document.xml': bomb }))).toBe('ERR_FILESIZE_OVER_LIMIT')
    const endless = deflateSync(Buffer.alloc(100 * 1024 * 1024, ' '))
    expect(await refusal('pdf', makePdf([['x']], endless))).toBe('ERR_FILESIZE_OVER_LIMIT')
  })

  it('is refused if it has too many pages, takes too long or has another type', async () => {
    expect(await refusal('pdf', makePdf([['a'], ['b'], ['c']]), { ...knowledgeReadLimits, pages: 2 })).toBe(
      'ERR_FILESIZE_OVER_LIMIT',
    )
    const drawing = deflateSync(Buffer.from('q Q '.repeat(1_000_000)))
    expect(await refusal('pdf', makePdf([['a']], drawing), { ...knowledgeReadLimits, timeoutMs: 1 })).toBe(
      'ERR_FILESIZE_OVER_LIMIT',
    )
    expect(await refusal('pdf', 'no paper at all')).toBe('ERR_FILE_TYPE')
    expect(await refusal('docx', makeZip({ 'xl/workbook.xml': '<x/>' }))).toBe('ERR_FILE_TYPE')
    expect(await refusal('txt', Buffer.from([0, 1, 2, 0]))).toBe('ERR_FILE_TYPE')
    expect(await refusal('csv', `a\n${'1\n'.repeat(20)}`, { ...knowledgeReadLimits, rows: 10 })).toBe(
      'ERR_FILESIZE_OVER_LIMIT',
    )
    const paper = { name: 'x.pdf', type: 'application/pdf', size: 10 }
    expect(detectKnowledgeKind(paper)).toBe('pdf')
    expect(() => detectKnowledgeKind({ ...paper, name: 'x.txt' })).toThrow('ERR_FILE_TYPE')
    expect(() => detectKnowledgeKind({ ...paper, name: 'x.exe' })).toThrow('ERR_FILE_TYPE')
    expect(() => detectKnowledgeKind({ ...paper, size: knowledgeReadLimits.size + 1 })).toThrow(
      'ERR_FILESIZE_OVER_LIMIT',
    )
  })
})
