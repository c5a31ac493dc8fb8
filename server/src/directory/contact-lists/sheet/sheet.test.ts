import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { utils, write } from '@e965/xlsx'
import { toCsv } from '@recado/contract/text/csv'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readCsvRows } from './csv.ts'
import { longSheetLimits, oldSheetLimits, readLongSheet } from './read-sheet.ts'

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'recado-sheet-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

let fileCount = 0
async function fileOf(content: Buffer | string): Promise<string> {
  const path = join(dir, String(fileCount++))
  await writeFile(path, content)
  return path
}
/** Reads the whole sheet: all rows, and the size of each batch. */
async function wholeOf(content: Buffer | string) {
  const { head, rows } = await readLongSheet(await fileOf(content))
  const all: unknown[][] = []
  let largestBatch = 0
  for await (const batch of rows) {
    all.push(...batch)
    largestBatch = Math.max(largestBatch, batch.length)
  }
  return { ...head, rows: all, most: largestBatch }
}
function book(cells: unknown[][], bookType: 'xlsx' | 'biff8' | 'xlsb', bookSST = true): Buffer {
  const workbook = utils.book_new()
  utils.book_append_sheet(workbook, utils.aoa_to_sheet(cells), 'Uno & "dos"')
  utils.book_append_sheet(workbook, utils.aoa_to_sheet([['otra']]), 'Otra')
  return write(workbook, { type: 'buffer', bookType, bookSST, compression: true })
}

const cells = [
  ['nome', 'numero', 'e-mail'],
  ['Ana <Paz> & Cía', '5491155550000', 'ana@mail.example'],
  ['José "Pepe"', 5_491_155_550_001, ''],
  ['', '', ''],
  ['Zoë\nNuñez 🙂', '+54 9 11 5555-0002', ''],
]
const expected = { headers: cells[0], total: 4, rows: cells.slice(1) }

describe('a long sheet', () => {
  it('reads the same rows from a new workbook (shared or inline strings) and from an old workbook', async () => {
    expect(await wholeOf(book(cells, 'xlsx'))).toMatchObject(expected)
    expect(await wholeOf(book(cells, 'xlsx', false))).toMatchObject(expected)
    expect(await wholeOf(book(cells, 'biff8'))).toMatchObject(expected)
    expect(await wholeOf(book(cells, 'xlsb'))).toMatchObject(expected)
  })

  it('is read from its header to its last filled row, wherever they are in the file', async () => {
    const apart = [[], [], ['', 'nome', 'numero'], ['', 'Ana', '1'], [], ['', 'Beto', '2', 'nadie'], [], ['', '', '']]
    const shown = {
      headers: ['nome', 'numero'],
      total: 3,
      rows: [
        ['Ana', '1'],
        ['', ''],
        ['Beto', '2'],
      ],
    }
    expect(await wholeOf(book(apart, 'xlsx'))).toMatchObject(shown)
    expect(await wholeOf(apart.map((row) => row.join(',')).join('\r\n'))).toMatchObject(shown)
  })

  it('reads CSV with any separator and old encodings', async () => {
    const rows = [['Iñaki', '1']]
    for (const sign of [';', ',', '\t', '|'])
      expect(await wholeOf(`\ufeffnome${sign}numero\nIñaki${sign}1\n`)).toMatchObject({
        headers: ['nome', 'numero'],
        rows,
      })
    expect(await wholeOf(Buffer.from('nome;numero\rI\xf1aki;1', 'latin1'))).toMatchObject({ rows })
    expect(await wholeOf('sep=|\r\nnome|numero\r\nIñaki|1')).toMatchObject({ headers: ['nome', 'numero'], rows })
    await expect(wholeOf(Buffer.from([110, 0, 59, 0]))).rejects.toThrow('ERR_FILE_TYPE')
  })

  it('refuses CSV with a quote that is never closed, instead of reading the rest as one cell', async () => {
    await expect(wholeOf('nome;numero\n"Ana;1\nBeto;2\n')).rejects.toThrow('ERR_FILE_TYPE')
    await expect(wholeOf(`nome;numero\n"${'Ana;1\n'.repeat(200_000)}`)).rejects.toThrow('ERR_FILE_TYPE')
  })

  it('round-trips CSV across every chunk boundary of the file', async () => {
    const chars = fc.string({ unit: fc.constantFrom('a', 'ñ', '🙂', '"', ';', ',', '\n', '\r', ' ', 'b') })
    // Cells that look like a formula are written differently, so they get a letter in front.
    const cell = chars.map((text) => text && `x${text}`)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 20 }), async (some) => {
        // The sheet is long enough to be read in several chunks.
        const rows = [['uno', 'dos', 'tres'], ...Array.from({ length: 300 }, () => some).flat()].slice(0, 4000)
        const read: unknown[][] = []
        for await (const piece of readCsvRows(await fileOf(toCsv(rows)))) read.push(...piece.map((row) => row.cells))
        expect(read).toEqual(rows)
      }),
      { numRuns: 10 },
    )
  })

  it('reads a hundred thousand rows in batches, and refuses a longer sheet or a large old workbook', async () => {
    const rows = Array.from({ length: longSheetLimits.rows }, (_, n) => `Persona ${n};5511${900_000_000 + n}`)
    const all = await wholeOf(`nome;numero\n${rows.join('\n')}`)
    expect(all).toMatchObject({ total: longSheetLimits.rows, most: longSheetLimits.batchRows })
    expect(all.rows.at(-1)).toEqual(['Persona 99999', '5511900099999'])
    await expect(wholeOf(`nome;numero\n${rows.join('\n')}\nUna;1`)).rejects.toThrow('ERR_FILESIZE_OVER_LIMIT')
    const old = Buffer.alloc(oldSheetLimits.size + 1)
    old.writeUInt32BE(0xd0cf11e0)
    await expect(wholeOf(old)).rejects.toThrow('ERR_FILESIZE_OVER_LIMIT')
    await expect(wholeOf(Buffer.from('504b0304', 'hex'))).rejects.toThrow('ERR_FILE_TYPE')
  })
})
