import { fold } from '../text/fold.ts'

/** Longer than any menu title. Longer text is cut, because incoming text has no length limit. */
const maxAnswerLength = 300

const ignoredBefore = new Set('*_~"\'«!?(')
const ignoredAfter = new Set('*_~"\'».!?),;:-')
const isBlank = (sign: string | undefined): boolean => sign !== undefined && sign.trim() === ''

/**
 * The customer's answer without decoration added by phones: "2", " 2. ", "*2*", "２" and "2️⃣" are equal. Trimmed
 * from both ends by hand, because an end-anchored regular expression retries at every character.
 */
export function normalizeAnswer(text: string): string {
  const chars = fold(text.trimStart().slice(0, maxAnswerLength))
  let [from, to] = [0, chars.length]
  while (from < to && (ignoredBefore.has(chars[from] ?? '') || isBlank(chars[from]))) from++
  while (to > from && (ignoredAfter.has(chars[to - 1] ?? '') || isBlank(chars[to - 1]))) to--
  return chars.slice(from, to).replace(/\s+/g, ' ')
}

/** Words that people write around a chosen number: "la opción 2", "nº 2", "2 por favor". */
const chosenKeyPattern =
  /^(?:(?:la|el|a|o|the) )?(?:(?:opcion|opcao|option|numero|number|nro|num|no|n)[.°:]? ?)?(\d{1,4}|#)(?:[ *_~.,):-]{1,4}(.*))?$/s
const courtesies = new Set(['', 'por favor', 'porfa', 'porfavor', 'please', 'pls', 'gracias', 'obrigado', 'obrigada'])

/** The chosen key and the text after it, which is empty or may be the option's title. */
function parseChosenKey(said: string): { key: string; rest: string } | null {
  const [, key, rest = ''] = chosenKeyPattern.exec(said) ?? []
  if (key === undefined) return null
  const words = normalizeAnswer(rest)
  return { key: key === '#' ? key : String(Number(key)), rest: courtesies.has(words) ? '' : words }
}

export type AnswerChoice<T> = { key: string; title: string; means: T }

/**
 * Finds the chosen option: by number first, because a title may be a number too; then by title; then by number and
 * title together, as the menu text writes them.
 */
export function findChoice<T>(choices: AnswerChoice<T>[], said: string): T | null {
  const found = parseChosenKey(said)
  const numbered = choices.find(({ key }) => key === found?.key)
  const named = said === '' ? undefined : choices.find(({ title }) => normalizeAnswer(title) === said)
  if (found?.rest === '' && numbered) return numbered.means
  if (named) return named.means
  return numbered && found?.rest === normalizeAnswer(numbered.title) ? numbered.means : null
}
