import type { DumpRow } from '../dump/read-dump.ts'
import { isNestedDeeper } from '../plain-text.ts'

/** Parsers for the cells of a dump. A missing or invalid value becomes null or empty. */

/** Reads a text cell, without the NUL characters and lone surrogates that PostgreSQL cannot store. */
export const textCell = (row: DumpRow, key: string, maxLength = 65_536): string => {
  const found = row[key]
  if (!found) return ''
  const plain = (found.includes('\0') ? found.replaceAll('\0', '') : found).toWellFormed()
  return plain.length > maxLength ? plain.slice(0, maxLength).toWellFormed() : plain
}

/** Reads a text cell as a single row of text, trimmed. */
export const lineCell = (row: DumpRow, key: string, maxLength: number): string =>
  textCell(row, key).replace(/\s+/g, ' ').trim().slice(0, maxLength).toWellFormed().trim()

export const intCell = (row: DumpRow, key: string): number | null => {
  const found = row[key]
  const value = found === null || found === undefined || found === '' ? Number.NaN : Number(found)
  return Number.isSafeInteger(value) && Math.abs(value) < 2 ** 31 ? value : null
}

export const boolCell = (row: DumpRow, key: string): boolean => /^(t|true|1|y|yes|enabled)$/i.test(row[key] ?? '')

export const isNullCell = (row: DumpRow, key: string): boolean => row[key] === null || row[key] === undefined

/** The offset assumed for timestamps without a time zone. */
export type UtcOffset = string

const momentPattern = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,6})?\s*(Z|[+-]\d\d(?::?\d\d)?)?$/
export function parseMomentMs(text: string | null | undefined, offset: UtcOffset): number | null {
  const found = text && momentPattern.exec(text)
  if (!found) return null
  const [, day, time, part = '', zone] = found
  const fullOffset = zone && /^[+-]\d\d$/.test(zone) ? `${zone}:00` : zone
  const at = Date.parse(`${day}T${time}${part.slice(0, 4)}${fullOffset ?? offset}`)
  return Number.isNaN(at) || at < 0 || at > 4_102_444_800_000 ? null : at
}

/** Limits for opening hours and campaign settings, which are neither long nor deeply nested. */
const jsonLimits = { chars: 65_536, depth: 10 }
export const jsonCell = (row: DumpRow, key: string): unknown => {
  const text = row[key] ?? 'null'
  if (text.length > jsonLimits.chars || isNestedDeeper(text, jsonLimits.depth)) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
