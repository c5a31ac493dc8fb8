import { readJson, writeJson } from '../../../lib/storage.ts'

const key = 'recado.emojis'
/** Two rows of the picker. */
const most = 18

export function readRecent(): string[] {
  const kept = readJson<unknown>(key, [])
  return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string').slice(0, most) : []
}

export const withRecent = (recent: string[], sign: string): string[] =>
  [sign, ...recent.filter((one) => one !== sign)].slice(0, most)

export const rememberEmoji = (sign: string): void => writeJson(key, withRecent(readRecent(), sign))
