import { fold } from '@recado/contract/text/fold'
import type { Language } from '../../../lib/texts.ts'

export type Emoji = { sign: string; name: string; group: number; words: string }
/** The data of each emoji; skin tones are left out. */
type RawEmoji = { unicode: string; label: string; group?: number; order?: number; tags?: string[] }

const dataUrls: Record<Language, () => Promise<{ default: string }>> = {
  es: () => import('emojibase-data/es/compact.json?url'),
  pt: () => import('emojibase-data/pt/compact.json?url'),
  en: () => import('emojibase-data/en/compact.json?url'),
}
const loadedEmojis = new Map<Language, Promise<Emoji[]>>()

/** Every emoji with its keywords in this language; loaded once, on first use. */
export function loadEmojis(language: Language): Promise<Emoji[]> {
  const known = loadedEmojis.get(language) ?? fetchEmojis(language)
  loadedEmojis.set(language, known)
  // A failed load is not cached, so that the next opening tries again.
  known.catch(() => loadedEmojis.delete(language))
  return known
}

async function fetchEmojis(language: Language): Promise<Emoji[]> {
  const { default: url } = await dataUrls[language]()
  const response = await fetch(url)
  if (!response.ok) throw new Error(`emojis: ${response.status}`)
  return toEmojis((await response.json()) as RawEmoji[])
}

/** The group of skin tone components, which are not sent alone. */
const componentGroup = 2

/** Reduces the emoji data to the fields that the picker needs, in the usual order. */
export function toEmojis(all: RawEmoji[]): Emoji[] {
  return all
    .filter(({ group }) => group !== undefined && group !== componentGroup)
    .sort((a, b) => (a.order ?? 0) - (b.order ?? 0))
    .map(({ unicode, label, group = 0, tags = [] }) => ({
      sign: unicode,
      name: label,
      group,
      words: fold([label, ...tags].join(' ')),
    }))
}

/** Matches by the beginning of every word; matches in the name come first. */
export function searchEmojis(all: Emoji[], query: string): Emoji[] {
  const wanted = fold(query).split(/\s+/).filter(Boolean)
  const fits = (words: string) => wanted.every((part) => words.startsWith(part) || words.includes(` ${part}`))
  const hits = all.filter(({ words }) => fits(words))
  const named = new Set(hits.filter(({ name }) => fits(fold(name))))
  return [...hits.filter((one) => named.has(one)), ...hits.filter((one) => !named.has(one))]
}
