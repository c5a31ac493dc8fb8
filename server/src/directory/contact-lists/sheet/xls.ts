import { read, utils } from '@e965/xlsx'
import { repackUncompressed } from '../../../kernel/files/zip-reader.ts'
import type { SheetCells, SheetRows } from './sheet-cells.ts'

/** Old workbooks (.xls) cannot be streamed: they are held in memory, so they must be small. */
export function openXls(file: Buffer, isZip: boolean, most: number): () => SheetRows {
  const book = read(isZip ? repackUncompressed(file, most) : file, {
    ...{ type: 'buffer', sheets: 0, dense: true, cellFormula: false, cellHTML: false, cellText: false, bookVBA: false },
  })
  const sheet = book.Sheets[book.SheetNames[0] ?? '']
  const rows = sheet?.['!ref']
    ? utils.sheet_to_json<SheetCells>(sheet, { header: 1, raw: true, blankrows: true, defval: '' })
    : []
  return async function* () {
    yield rows.map((cells, at) => ({ at, cells }))
  }
}
