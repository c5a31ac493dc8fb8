import { fold } from '../text/fold.ts'

/** Longer than any title of a menu: nobody answers a question with more, and what strangers send has no end. */
const maxAnswerLength = 300

const ignoredBefore = new Set('*_~"\'«!?(')
const ignoredAfter = new Set('*_~"\'».!?),;:-')
const isBlank = (sign: string | undefined): boolean => sign !== undefined && sign.trim() === ''

/**
 * What somebody answered, without what telephones put around it: "2", " 2. ", "*2*", "２" and "2️⃣" are the same. Read
 * from both ends, since a pattern for an end tries again at every sign.
 */
export function normalizeAnswer(text: string): string {
  const signs = fold(text.trimStart().slice(0, maxAnswerLength))
  let [from, to] = [0, signs.length]
  while (from < to && (ignoredBefore.has(signs[from] ?? '') || isBlank(signs[from]))) from++
  while (to > from && (ignoredAfter.has(signs[to - 1] ?? '') || isBlank(signs[to - 1]))) to--
  return signs.slice(from, to).replace(/\s+/g, ' ')
}

/** What people write around a number that they choose: "la opción 2", "nº 2", "2 por favor". */
const chosenKeyPattern =
  /^(?:(?:la|el|a|o|the) )?(?:(?:opcion|opcao|option|numero|number|nro|num|no|n)[.°:]? ?)?(\d{1,4}|#)(?:[ *_~.,):-]{1,4}(.*))?$/s
const courtesies = new Set(['', 'por favor', 'porfa', 'porfavor', 'please', 'pls', 'gracias', 'obrigado', 'obrigada'])

/** The key that was chosen, and what stands behind it: nothing, or words that may be the choice's own. */
export function parseChosenKey(said: string): { key: string; rest: string } | null {
  const [, key, rest = ''] = chosenKeyPattern.exec(said) ?? []
  if (key === undefined) return null
  const words = normalizeAnswer(rest)
  return { key: key === '#' ? key : String(Number(key)), rest: courtesies.has(words) ? '' : words }
}
