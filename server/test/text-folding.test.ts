import { fold } from '@recado/contract/text/fold'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeTestServers, type TestServer, testServer } from './test-server.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

type FoldedText = { text: string; folded: string }
/** Texts that the database folds differently; characters missing in its Unicode version are skipped. */
async function findDifferences(texts: string[]): Promise<FoldedText[]> {
  const { rows } = await sql<FoldedText>`
    select t as text, fold(t) as folded from unnest(${texts}::text[]) t where unicode_assigned(t)`.execute(
    harness.wide().db,
  )
  return rows.filter(({ text, folded }) => folded !== fold(text))
}

describe('text folding in the database', () => {
  it('equals the folding of the contract for every character', async () => {
    const { rows } = await sql<{ code: number }>`
      select code from generate_series(1, 205743) code
      where code not between 55296 and 63743 and unicode_assigned(chr(code))`.execute(harness.wide().db)
    const chars = rows.map(({ code }) => String.fromCodePoint(code))
    expect(chars.length).toBeGreaterThan(140_000)
    // Characters with a fast path are tested one at a time; the others many at once.
    const alone = chars.filter((sign) => /[\0-\u27ff\u{1f000}-\u{1faff}]/u.test(sign)).map((sign) => `aB${sign}Σ c`)
    expect(await findDifferences(alone)).toEqual([])
    const many = Array.from({ length: Math.ceil(chars.length / 100) }, (_, i) => chars.slice(i * 100, i * 100 + 100))
    expect(await findDifferences(many.map((some) => some.join(' ')))).toEqual([])
  })

  it('equals the folding of the contract for random texts', async () => {
    const unit = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'Árbol',
        'ΟΔΟΣ',
        'Ñandú',
        'İstanbul',
        'ﬁn',
        'e\u0323\u0301',
        '２',
        '\\',
        '%',
        'ß',
        '👩🏽‍💻',
        '❤️',
        '“O’Brien”',
      ),
    )
    const text = fc.array(unit, { maxLength: 8 }).map((parts) => parts.join('').replaceAll('\0', '').toWellFormed())
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 40, maxLength: 60 }), async (texts) => {
        expect(await findDifferences(texts)).toEqual([])
      }),
      { numRuns: 10 },
    )
  })
})

it('removes accents, invisible characters and typographic variants that nobody types into a search', () => {
  const pairs = {
    Árbol: 'arbol',
    AÇÃO: 'acao',
    'Straße, Łódź, Øre, Æther': 'strasse, lodz, ore, aether',
    '２　ﬁnos': '2 finos',
    'O’Brien – “sí”': `o'brien - "si"`,
    '¿Cuándo? ¡Ya!': '?cuando? !ya!',
    '\u200eAna\u00ad\u200b ❤️': 'ana ❤',
    ΟΔΟΣ: 'οδοσ',
    'मी की': 'मी की',
  }
  expect(Object.keys(pairs).map(fold)).toEqual(Object.values(pairs))
})
