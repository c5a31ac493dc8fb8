/** Rows per statement: PostgreSQL accepts 65,535 values at once, and no row here has a hundred. */
const maxRowsPerBatch = 500

export const splitIntoBatches = <T>(rows: T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / maxRowsPerBatch) }, (_, i) =>
    rows.slice(i * maxRowsPerBatch, (i + 1) * maxRowsPerBatch),
  )
