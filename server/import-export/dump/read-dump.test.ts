import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DumpCell, writeMysqlDump, writePgDump } from '../../test/whaticket-dumps.ts'
import { type DumpRow, readDumpRows } from './read-dump.ts'
import { openSpool } from './spool.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recado-read-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const wantedColumns = { things: ['id', 'body', 'size'] }
async function read(text: string): Promise<{ rows: DumpRow[]; broken: number }> {
  const path = join(folder, 'one.sql')
  await writeFile(path, text)
  const found: { rows: DumpRow[]; broken: number } = { rows: [], broken: 0 }
  for await (const batch of readDumpRows(path, wantedColumns)) {
    found.rows.push(...batch.rows)
    found.broken += batch.brokenRows
  }
  return found
}

describe('rows of a dump', () => {
  // No NUL: PostgreSQL cannot store it, and the import removes NULs of MySQL later.
  const text = fc.string({ unit: 'grapheme', maxLength: 60 }).filter((s) => !s.includes('\0'))
  const odd = fc.constantFrom(
    "'",
    "''",
    '\\',
    "\\'",
    '\n',
    '\r\n',
    '\t',
    '\\.',
    '\\N',
    ');',
    '),(',
    'INSERT INTO `Things` VALUES (1);',
    '--',
    '"',
    '`',
  )
  const body = fc.oneof(
    text,
    odd,
    fc.tuple(text, odd, text).map((parts) => parts.join('')),
  )
  const cells = fc.array(fc.tuple(fc.nat(), fc.option(body)), { maxLength: 12 })
  const tablesOf = (rows: [number, string | null][]) => ({
    Others: { columns: ['id', 'body'], rows: rows.map(([, said]): DumpCell[] => [1, said]) },
    Things: { columns: ['id', 'secret', 'body'], rows: rows.map(([id, said]): DumpCell[] => [id, 'x', said]) },
  })
  const told = (rows: [number, string | null][]) => rows.map(([id, said]) => ({ id: String(id), body: said }))

  it('returns every value exactly as written, and only the wanted columns', async () => {
    await fc.assert(
      fc.asyncProperty(cells, async (rows) => {
        expect((await read(writePgDump(tablesOf(rows)))).rows).toEqual(told(rows))
        expect((await read(writeMysqlDump(tablesOf(rows), 3))).rows).toEqual(told(rows))
      }),
      { numRuns: 40 },
    )
  })

  it('reads the rows of the other dump formats, too', async () => {
    const asInserts = `CREATE TABLE public."Things" (\n    id integer NOT NULL,\n    body text DEFAULT 'a, b'::text,\n    CONSTRAINT one CHECK (id > 0)\n);\n
INSERT INTO public."Things" VALUES (1, 'it''s \\n plain');
INSERT INTO public."Things" (body, id) VALUES (E'two\\nlines', 2);
INSERT INTO public."Things" VALUES (3, NULL);\n`
    expect((await read(asInserts)).rows).toEqual([
      { id: '1', body: "it's \\n plain" },
      { id: '2', body: 'two\nlines' },
      { id: '3', body: null },
    ])
    const byHand = "INSERT INTO `things` (`id`, `body`) VALUES\n(1, _binary 'uno'),\n(2, 'dos\\'');\n"
    expect((await read(byHand)).rows).toEqual([
      { id: '1', body: 'uno' },
      { id: '2', body: "dos'" },
    ])
  })

  it('counts broken rows and still reads the rows next to them', async () => {
    const dump = 'COPY public."Things" (id, body) FROM stdin;\n1\tuno\n2\n3\ttres\tmás\n4\tcuatro\n\\.\n'
    expect(await read(dump)).toEqual({
      rows: [
        { id: '1', body: 'uno' },
        { id: '4', body: 'cuatro' },
      ],
      broken: 2,
    })
    await expect(read('COPY public."Things" (id, body) FROM stdin;\n1\tuno\n')).rejects.toThrow('in the middle')
    await expect(read("INSERT INTO `Things` (`id`,`body`) VALUES (1,'uno'),(2,'d")).rejects.toThrow('in the middle')
  })
})

it('sorts a table larger than memory on disk', async () => {
  const spool = await openSpool(join(folder, 'spool'), { things: (row) => Number(row.size) })
  const total = 120_000
  for (let at = 0; at < total; at += 1000) {
    const rows = Array.from({ length: 1000 }, (_, i) => ({
      id: String(at + i),
      size: String(((at + i) * 7919) % total),
    }))
    await spool.addBatch({ table: 'Things', rows, brokenRows: 0 })
  }
  await spool.close()
  let next = 0
  for await (const rows of spool.batches('things', 5000))
    for (const row of rows) if (Number(row.size) !== next++) throw new Error(`${row.size} is not ${next - 1}`)
  expect(next).toBe(total)
  await spool.remove()
})
