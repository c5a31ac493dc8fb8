/** So many rows in one statement: PostgreSQL takes 65,535 values at once, and no row here has a hundred. */
const most = 500

export const inPortions = <T>(rows: T[]): T[][] =>
  Array.from({ length: Math.ceil(rows.length / most) }, (_, i) => rows.slice(i * most, (i + 1) * most))
