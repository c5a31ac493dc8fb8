import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toCsv } from '../src/text/csv.ts'

const lines = (rows: string[][]) => toCsv(rows).slice(1).split('\r\n').slice(0, -1)

test('separates columns by semicolons, starts with a UTF-8 BOM and ends every row with a newline', () => {
  expect(
    toCsv([
      ['name', 'number'],
      ['Lucía', '549'],
    ]),
  ).toBe('\ufeffname;number\r\nLucía;549\r\n')
})

test('quotes cells that contain a separator, a quote or a newline', () => {
  expect(lines([['a;b', 'say "hi"', 'one, two']])).toEqual(['"a;b";"say ""hi""";"one, two"'])
})

test('prevents any cell from starting a formula', () => {
  for (const evil of ['=1+1', '+1-1', '-2', '@SUM(A1)', '  =1', '+54 9 11'])
    expect(lines([[evil]])[0]?.replaceAll('"', '')).toBe(`'${evil}`)
  expect(toCsv([['\t=1']])).toContain(`"'\t=1"`)
  expect(toCsv([['\r=1']])).toContain(`"'\r=1"`)
  expect(lines([['x;=1+1']])).toEqual(['"x;=1+1"'])
})

test('keeps phone numbers unchanged', () => {
  expect(lines([['5491155550000', '+5491155550000', '120363-1633']])).toEqual([
    '5491155550000;+5491155550000;120363-1633',
  ])
})

test('round-trips arbitrary cells without producing a formula', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.string(), { minLength: 3, maxLength: 3 }), { minLength: 1 }), (rows) => {
      const back = parse(toCsv(rows).slice(1))
      expect(back.map((row) => row.map((one) => one.replace(/^'(?=\s*[=+\-@\t\r])/, '')))).toEqual(
        rows.map((row) => row.map((one) => one.replace(/^'(?=\s*[=+\-@\t\r])/, ''))),
      )
      for (const one of back.flat()) expect(/^\s*[=+\-@]/.test(one) && !/^\+\d+$/.test(one)).toBe(false)
    }),
  )
})

/** A minimal CSV reader. */
function parse(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const piece = /(?:"((?:[^"]|"")*)"|([^;\r\n"]*))(;|\r\n)/gy
  for (let found = piece.exec(text); found; found = piece.exec(text)) {
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === '\r\n') rows.push(row.splice(0))
  }
  row = []
  return rows
}
