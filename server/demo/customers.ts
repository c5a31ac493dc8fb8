import { fold } from '@recado/contract/text/fold'
import type { Language } from '@recado/contract/users'
import type { StoryRandom } from './random.ts'
import { englishVocabulary } from './texts/en.ts'
import { spanishVocabulary } from './texts/es.ts'
import { portugueseVocabulary } from './texts/pt.ts'
import type { Vocabulary } from './texts/vocabulary.ts'

export type DemoCustomer = {
  name: string
  number: string
  email: string
  language: Language
  isGroup: boolean
  fields: { name: string; value: string }[]
  /** The members of a group, who may write in it. */
  members: DemoCustomer[]
}

export const vocabularyByLanguage: Record<Language, Vocabulary> = {
  es: spanishVocabulary,
  pt: portugueseVocabulary,
  en: englishVocabulary,
}

/**
 * Unassigned numbers. Britain and North America reserve ranges for fiction; elsewhere the area code is zeros,
 * which no country uses.
 */
const numberMakers: Record<Language, ((n: number) => string)[]> = {
  es: [(n) => `549000555${padNumber(n, 4)}`, (n) => `5690000${padNumber(n, 4)}`, (n) => `598900${padNumber(n, 5)}`],
  pt: [(n) => `550090000${padNumber(n, 4)}`],
  en: [(n) => `44770090${padNumber(n, 4)}`, (n) => `1202555${padNumber(100 + (n % 100), 4)}`],
}
const padNumber = (n: number, length: number) => String(n).padStart(length, '0')

const emailNameOf = (name: string) =>
  fold(name)
    .replace(/[^\p{L} ]/gu, '')
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .join('.')

export function makeCustomer(random: StoryRandom, language: Language, name: string, n: number): DemoCustomer {
  const words = vocabularyByLanguage[language]
  const values = [
    random.pick(words.cities),
    random.pick(words.company),
    `${random.integer(1, 28)}/${random.integer(1, 12)}`,
    `XX-${random.integer(10_000, 99_999)}`,
  ]
  const makers = numberMakers[language]
  const number = makers[Math.floor(n / 3) % makers.length] as (n: number) => string
  return {
    name,
    number: number(n),
    email: random.withProbability(0.6) ? `${emailNameOf(name)}@correo.example` : '',
    language,
    isGroup: false,
    fields: words.fields.flatMap((field, i) =>
      random.withProbability(0.45) ? [{ name: field, value: values[i] ?? '' }] : [],
    ),
    members: [],
  }
}

/** All customers of every language, shuffled: customers with listed names, then combinations of these names. */
export function makeCustomers(random: StoryRandom): DemoCustomer[] {
  const of = (namesOf: (names: string[]) => string[], first: number) =>
    Object.entries(vocabularyByLanguage).flatMap(([language, { names }]) =>
      namesOf(names).map((name, i) => makeCustomer(random, language as Language, name, first + i * 3)),
    )
  const most = Math.max(...Object.values(vocabularyByLanguage).map(({ names }) => names.length))
  return [...random.shuffle(of((names) => names, 101)), ...random.shuffle(of(mixNames, 101 + most * 3))]
}

/** Combines first names with other family names. */
function mixNames(names: string[]): string[] {
  const made = names.map((name, i) => {
    const [first = name] = name.split(' ')
    const [, ...family] = names[(i + 7) % names.length]?.split(' ') ?? []
    return [first, ...family].join(' ')
  })
  return [...new Set(made)].filter((name) => !names.includes(name))
}
