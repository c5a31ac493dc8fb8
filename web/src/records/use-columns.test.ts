import { describe, expect, it } from 'vitest'
import type { TableColumn } from './table-column.ts'
import { fitColumns } from './use-columns.ts'

const column = (key: string, width?: number, low?: boolean): TableColumn<object> => ({
  key,
  head: key,
  cell: () => null,
  ...(width && { width }),
  ...(low && { isLowPriority: low }),
})
const table = [
  column('id', 60, true),
  column('name'),
  column('phone', 130, true),
  column('due', 240),
  column('made', 110, true),
]
const names = (columns: TableColumn<object>[]) => columns.map(({ key }) => key)

describe('fitting table columns to the width', () => {
  it('keeps every column if there is room', () => {
    expect(names(fitColumns(table, 720, 1440))).toEqual(['id', 'name', 'phone', 'due', 'made'])
  })
  it('drops low-priority columns, starting with the last', () => {
    expect(names(fitColumns(table, 700, 1440))).toEqual(['id', 'name', 'phone', 'due'])
    expect(names(fitColumns(table, 500, 1440))).toEqual(['id', 'name', 'due'])
  })
  it('shows no low-priority column under 900 px', () => {
    expect(names(fitColumns(table, 860, 899))).toEqual(['name', 'due'])
  })
  it('never drops an important column', () => {
    expect(names(fitColumns(table, 100, 610))).toEqual(['name', 'due'])
  })
})
