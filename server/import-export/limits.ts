/**
 * How much an archive or a dump may hold. Both come from untrusted senders, so every number is bounded before anything
 * is written; an operator who trusts the sender raises one with `--limit NAME=NUMBER`.
 */
export const defaultLimits = {
  /** Rows of one table, and of all tables. */
  tableRows: 20_000_000,
  rows: 60_000_000,
  /** Bytes of one line of an archive, or of one row of a dump. */
  lineBytes: 32 * 1024 ** 2,
  /** Bytes of one table, and of all tables; of a dump, unpacked. */
  tableBytes: 40 * 1024 ** 3,
  bytes: 100 * 1024 ** 3,
  /** Files: how many, bytes of one (WhatsApp's limit) and of all. */
  files: 5_000_000,
  fileBytes: 2 * 1024 ** 3,
  mediaBytes: 500 * 1024 ** 3,
  /** Companies of one dump. */
  companies: 1000,
}
export type ImportLimits = typeof defaultLimits

const isLimit = (name: string): name is keyof ImportLimits => Object.hasOwn(defaultLimits, name)

/** Parses `--limit rows=100000000`, which can be repeated. Null: invalid. */
export function parseLimits(options: string[]): ImportLimits | null {
  const limits = { ...defaultLimits }
  for (const one of options) {
    const [, name = '', number = ''] = /^([A-Za-z]{1,20})=(\d{1,15})$/.exec(one) ?? []
    if (!isLimit(name)) return null
    limits[name] = Number(number)
  }
  return limits
}
