import { describe, expect, it } from 'vitest'
import type { Column } from './column.ts'
import { fitting } from './use-columns.ts'

const column = (key: string, width?: number, low?: boolean): Column<object> => ({
  key,
  head: key,
  cell: () => null,
  ...(width && { width }),
  ...(low && { low }),
})
const table = [
  column('id', 60, true),
  column('name'),
  column('phone', 130, true),
  column('due', 240),
  column('made', 110, true),
]
const names = (columns: Column<object>[]) => columns.map(({ key }) => key)

describe('fitting', () => {
  it('keeps every column where there is room', () => {
    expect(names(fitting(table, 720, 1440))).toEqual(['id', 'name', 'phone', 'due', 'made'])
  })
  it('lets those of low value go, the last one first', () => {
    expect(names(fitting(table, 700, 1440))).toEqual(['id', 'name', 'phone', 'due'])
    expect(names(fitting(table, 500, 1440))).toEqual(['id', 'name', 'due'])
  })
  it('shows none of them under 900 px', () => {
    expect(names(fitting(table, 860, 899))).toEqual(['name', 'due'])
  })
  it('never drops what matters', () => {
    expect(names(fitting(table, 100, 610))).toEqual(['name', 'due'])
  })
})
