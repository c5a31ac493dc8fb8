import { readStoredJson, writeStoredJson } from '../../../lib/storage.ts'

const storageKey = 'recado.emojis'
/** Recently used emoji fill two rows of the picker. */
const maxRecentEmojis = 18

export function readRecentEmojis(): string[] {
  const kept = readStoredJson<unknown>(storageKey, [])
  return Array.isArray(kept)
    ? kept.filter((one): one is string => typeof one === 'string').slice(0, maxRecentEmojis)
    : []
}

export const addRecentEmoji = (recent: string[], sign: string): string[] =>
  [sign, ...recent.filter((one) => one !== sign)].slice(0, maxRecentEmojis)

export const rememberEmoji = (sign: string): void =>
  writeStoredJson(storageKey, addRecentEmoji(readRecentEmojis(), sign))
