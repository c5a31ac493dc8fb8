/**
 * How much an archive or a dump may contain. Both come from untrusted senders, so every number is bounded before
 * anything is written; an operator who trusts the sender raises a limit with `--limit NAME=NUMBER`.
 */
export const defaultLimits = {
  /** Maximum rows of one table, and of all tables. */
  tableRows: 20_000_000,
  rows: 60_000_000,
  /** Maximum bytes of one row of an archive or a dump. */
  lineBytes: 32 * 1024 ** 2,
  /** Maximum bytes of one table, and of all tables; for a dump, after unpacking. */
  tableBytes: 40 * 1024 ** 3,
  bytes: 100 * 1024 ** 3,
  /** Maximum number of files, bytes of one file (WhatsApp's limit) and bytes of all files. */
  files: 5_000_000,
  fileBytes: 2 * 1024 ** 3,
  mediaBytes: 500 * 1024 ** 3,
  /** Maximum number of companies in a dump. */
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
