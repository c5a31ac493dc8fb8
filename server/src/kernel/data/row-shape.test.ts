import { describe, expect, it } from 'vitest'
import { jsonOrBranch, makeShapedRows, timestampLeaf, toIsoTimestamp } from './row-shape.ts'

describe('the shape of a row', () => {
  const people = makeShapedRows<object>({
    id: 'p.id',
    born: timestampLeaf('p.born'),
    home: { id: 'h.id', town: { name: 't.name' } },
    tags: 'p.tags',
  })

  it('is a list of columns for the database, in order', () => {
    expect(people.cellsText).toBe('json_build_array(p.id, p.born, h.id, t.name, p.tags) as cells')
  })

  it('restores the keys; a branch whose first column is null becomes null', () => {
    const [ana, luz, eva] = people.read([
      [1, '2026-01-31T12:00:00.1+00:00', 7, 'Lima', ['x']],
      [2, null, 7, null, []],
      [3, null, null, null, []],
    ])
    expect(ana).toEqual({
      id: 1,
      born: '2026-01-31T12:00:00.100Z',
      home: { id: 7, town: { name: 'Lima' } },
      tags: ['x'],
    })
    expect(luz).toEqual({ id: 2, born: null, home: { id: 7, town: null }, tags: [] })
    expect(eva).toEqual({ id: 3, born: null, home: null, tags: [] })
    expect(people.read(null)).toEqual([])
  })

  it('uses the alternative JSON column if that is not null', () => {
    const seen = makeShapedRows<object>({
      id: 'p.id',
      last: jsonOrBranch('p.other', { id: 'l.id', at: timestampLeaf('l.at') }),
      name: 'p.name',
    })
    expect(seen.cellsText).toBe('json_build_array(p.id, p.other, l.id, l.at, p.name) as cells')
    expect(
      seen.read([
        [1, null, 5, '2026-01-31T12:00:00+00:00', 'Ana'],
        [2, { id: 9 }, 5, null, 'Luz'],
        [3, null, null, null, 'Eva'],
      ]),
    ).toEqual([
      { id: 1, last: { id: 5, at: '2026-01-31T12:00:00.000Z' }, name: 'Ana' },
      { id: 2, last: { id: 9 }, name: 'Luz' },
      { id: 3, last: null, name: 'Eva' },
    ])
  })

  it('formats timestamps in the notation of the contract', () => {
    for (const text of ['2026-01-31T12:00:00+00:00', '2026-01-31T12:00:00.5+00:00', '1970-01-01T00:00:00.123456+00:00'])
      expect(toIsoTimestamp(text)).toBe(new Date(text).toISOString())
  })
})
