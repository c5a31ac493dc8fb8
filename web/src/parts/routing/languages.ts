import { displayLanguageName } from '../../lib/language-name.ts'

/** Languages to choose from; another code that is saved already stays in the list. */
const codes = [
  'es',
  'pt',
  'en',
  'fr',
  'it',
  'de',
  'gn',
  'qu',
  'ay',
  'nl',
  'ru',
  'uk',
  'zh',
  'ja',
  'ko',
  'ar',
  'he',
  'ht',
]

export function languageOptions(reader: string, saved: (string | null)[] = []): { value: string; label: string }[] {
  const all = [...new Set([...codes, ...saved.flatMap((code) => code || [])])]
  return all.map((code) => ({ value: code, label: displayLanguageName(code, reader) }))
}
