import { findChoice, normalizeAnswer } from '../menu/normalize-answer.ts'
import { fold } from '../text/fold.ts'
import type { Language } from '../users.ts'
import type { AskedAnswer, askedFileKinds } from './flow-steps.ts'
import { maxVariableLength } from './flow-variables.ts'
import { readDay } from './read-day.ts'
import { parseTaxId } from './tax-ids.ts'

/** A message of the customer, as far as it can be an answer. */
export type CustomerAnswer = {
  text: string
  /** The id of the pressed button or the chosen row. */
  optionId?: string | null
  file?: { id: string; kind: (typeof askedFileKinds)[number] } | null
  place?: { latitude: number; longitude: number } | null
}
/** `today`: the day where the company is. The language decides how ambiguous numbers and dates are read. */
export type AnswerContext = { language: Language; today: string }

/** A value in one form, whatever way it was written, and the chosen option. */
export type AnswerValue = { value: string; optionId: string | null }

/** How much of a message is read: incoming text has no length limit. */
const maxReadCharacters = 200

/** The value of an answer; null: it was not understood. */
export function readAnswer(asked: AskedAnswer, given: CustomerAnswer, context: AnswerContext): AnswerValue | null {
  if (asked.kind === 'choice') return readChoice(asked, given)
  const value = readValue(asked, given, context)
  return value === null ? null : { value, optionId: null }
}

function readValue(
  asked: Exclude<AskedAnswer, { kind: 'choice' }>,
  given: CustomerAnswer,
  { language, today }: AnswerContext,
): string | null {
  const text = given.text.trim().slice(0, maxReadCharacters)
  switch (asked.kind) {
    case 'text':
      return given.text.trim().slice(0, maxVariableLength) || null
    case 'number':
      return readNumber(text, asked, language)
    case 'date':
      return readDay(text, { when: asked.when, language, today })
    case 'email':
      return onlyOne(wordsOf(text).flatMap((word) => readEmail(word) ?? []))
    case 'taxId':
      return onlyOne(runsOfWords(text).flatMap((run) => asked.of.flatMap((kind) => parseTaxId(run, kind) ?? [])))
    case 'file':
      return given.file && (!asked.of.length || asked.of.includes(given.file.kind)) ? given.file.id : null
    case 'place':
      return given.place ? `${given.place.latitude},${given.place.longitude}` : null
  }
}

function readChoice({ options }: Extract<AskedAnswer, { kind: 'choice' }>, given: CustomerAnswer): AnswerValue | null {
  const choices = options.map((option, i) => ({ key: String(i + 1), title: option.title, means: option }))
  const chosen = options.find(({ id }) => id === given.optionId) ?? findChoice(choices, normalizeAnswer(given.text))
  return chosen && { value: chosen.title, optionId: chosen.id }
}

const onlyOne = (values: string[]): string | null => (new Set(values).size === 1 ? (values[0] ?? null) : null)

const wordsOf = (text: string): string[] => text.split(/[\s<>,;]/).filter(Boolean)

/** Up to five words in a row: a number may be written with spaces, and with words around it. */
function runsOfWords(text: string): string[] {
  const words = wordsOf(text)
  return words.flatMap((_, from) => [1, 2, 3, 4, 5].map((count) => words.slice(from, from + count).join('')))
}

const emailPattern = /^[^\s@"()]{1,64}@([a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}$/
function readEmail(word: string): string | null {
  const email = word
    .replace(/^mailto:/i, '')
    .replace(/[.:!?]$/, '')
    .toLowerCase()
  return email.length <= 254 && emailPattern.test(email) ? email : null
}

/** The only number in the text; null if there are several. */
function readNumber(
  text: string,
  { min, max, decimals }: Extract<AskedAnswer, { kind: 'number' }>,
  language: Language,
): string | null {
  const written = fold(text).match(/(?:(?<![\d.,])-)?\d+(?:[.,' ]\d+)*/g) ?? []
  const number = written.length === 1 ? parseNumber(written[0] as string, decimals, language) : null
  if (number === null || (min !== null && number < min) || (max !== null && number > max)) return null
  return String(number)
}

const isGrouped = (whole: string, separator: string): boolean =>
  whole.split(separator).every((part, i) => (i ? part.length === 3 : part.length <= 3 && part !== '0'))

function parseNumber(written: string, decimals: boolean, language: Language): number | null {
  const digits = written.replace('-', '')
  const separators = [...new Set(digits.replace(/\d/g, ''))]
  const point = decimalPoint(digits, separators, decimals, language)
  const [whole = '', fraction = '', ...rest] = point ? digits.split(point) : [digits]
  const group = separators.find((separator) => separator !== point)
  if (separators.length > 2 || rest.length || point === ' ' || point === "'") return null
  if (group && !isGrouped(whole, group)) return null
  const plain = group ? whole.replaceAll(group, '') : whole
  if (plain.length > 15 || fraction.length > 6 || (!decimals && Number(fraction) > 0)) return null
  const number = Number(`${plain}.${fraction || '0'}`)
  return written.startsWith('-') && number ? -number : number
}

/** The separator before the decimals: of two kinds the last one. A single point before three digits is ambiguous. */
function decimalPoint(digits: string, separators: string[], decimals: boolean, language: Language): string | undefined {
  const [first, second] = separators
  if (second !== undefined || first === undefined) return second
  const isThousands = !decimals || first === ' ' || first === "'" || first === (language === 'en' ? ',' : '.')
  return isGrouped(digits, first) && (isThousands || digits.split(first).length > 2) ? undefined : first
}
