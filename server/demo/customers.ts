import type { Language } from '@recado/contract/users'
import { fold } from '@recado/contract/words/fold'
import type { Chance } from './chance.ts'
import { english } from './words/en.ts'
import { spanish } from './words/es.ts'
import { portuguese } from './words/pt.ts'
import type { Vocabulary } from './words/vocabulary.ts'

export type Customer = {
  name: string
  number: string
  email: string
  language: Language
  isGroup: boolean
  fields: { name: string; value: string }[]
  /** Of a group: who may write in it. */
  members: Customer[]
}

export const vocabularies: Record<Language, Vocabulary> = { es: spanish, pt: portuguese, en: english }

/**
 * Numbers that ring nowhere. Britain and North America keep ranges for fiction; elsewhere the area is one of zeros,
 * which no country has.
 */
const numbers: Record<Language, ((n: number) => string)[]> = {
  es: [(n) => `549000555${pad(n, 4)}`, (n) => `5690000${pad(n, 4)}`, (n) => `598900${pad(n, 5)}`],
  pt: [(n) => `550090000${pad(n, 4)}`],
  en: [(n) => `44770090${pad(n, 4)}`, (n) => `1202555${pad(100 + (n % 100), 4)}`],
}
const pad = (n: number, length: number) => String(n).padStart(length, '0')

const plain = (name: string) =>
  fold(name)
    .replace(/[^\p{L} ]/gu, '')
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .join('.')

export function makeCustomer(chance: Chance, language: Language, name: string, n: number): Customer {
  const words = vocabularies[language]
  const values = [
    chance.pick(words.cities),
    chance.pick(words.company),
    `${chance.whole(1, 28)}/${chance.whole(1, 12)}`,
    `XX-${chance.whole(10_000, 99_999)}`,
  ]
  const makers = numbers[language]
  const number = makers[Math.floor(n / 3) % makers.length] as (n: number) => string
  return {
    name,
    number: number(n),
    email: chance.often(0.6) ? `${plain(name)}@correo.example` : '',
    language,
    isGroup: false,
    fields: words.fields.flatMap((field, i) => (chance.often(0.45) ? [{ name: field, value: values[i] ?? '' }] : [])),
    members: [],
  }
}

/** Everybody of every language, in an order that mixes them: those with a name of their own, then others of theirs. */
export function makeCustomers(chance: Chance): Customer[] {
  const of = (namesOf: (names: string[]) => string[], first: number) =>
    Object.entries(vocabularies).flatMap(([language, { names }]) =>
      namesOf(names).map((name, i) => makeCustomer(chance, language as Language, name, first + i * 3)),
    )
  const most = Math.max(...Object.values(vocabularies).map(({ names }) => names.length))
  return [...chance.shuffle(of((names) => names, 101)), ...chance.shuffle(of(crossed, 101 + most * 3))]
}

/** The first name of one with the family of another. */
function crossed(names: string[]): string[] {
  const made = names.map((name, i) => {
    const [first = name] = name.split(' ')
    const [, ...family] = names[(i + 7) % names.length]?.split(' ') ?? []
    return [first, ...family].join(' ')
  })
  return [...new Set(made)].filter((name) => !names.includes(name))
}
