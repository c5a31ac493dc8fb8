import type { referencedEntities } from '@recado/contract/flows/flow-references'
import type { FlowNames } from '@recado/contract/flows/flows'
import { describeMinutes } from '../../../parts/conditions/describe-minutes.ts'
import type { conditionTexts } from '../../../parts/conditions/texts.ts'
import type { priorityTexts } from '../../../parts/ticket/priority-texts.ts'
import { nameVariables } from '../../../parts/variable-names.ts'
import { joinWith } from './pattern.ts'
import type { SentenceWords } from './texts.ts'

export type Entity = (typeof referencedEntities)[number]
/** The name of what a rule refers to; null: it was deleted. */
export type NameOf = (entity: Entity, id: number) => string | null
/** What sentences are made of. */
export type Sentences = {
  words: SentenceWords
  conditions: (typeof conditionTexts)['es']
  priorities: (typeof priorityTexts)['es']['names']
  nameOf: NameOf
}

/** How much of a message a sentence quotes. */
const maxQuotedCharacters = 60

export function nameOfIn(names: FlowNames): NameOf {
  const byKey = new Map(names.map(({ entity, id, name }) => [`${entity} ${id}`, name]))
  return (entity, id) => byKey.get(`${entity} ${id}`) ?? null
}

export const durationOf = (minutes: number, { conditions }: Sentences): string => describeMinutes(minutes, conditions)

/** As many whole words as fit. */
function cutAtWord(text: string): string {
  const cut = text.slice(0, maxQuotedCharacters)
  return cut.slice(0, cut.lastIndexOf(' ') > 0 ? cut.lastIndexOf(' ') : maxQuotedCharacters)
}

/** A text of a customer or for one, as a quotation. */
/** A stored text on one line. The variables that only this flow knows are shown like those of every message. */
export const toLine = (text: string): string =>
  nameVariables(text)
    .replace(/\{\{\s{0,3}(\w{1,40})\s{0,3}\}\}/g, '{$1}')
    .replace(/\s+/g, ' ')
    .trim()

export function quoteText(text: string, { words }: Sentences): string {
  const line = toLine(text)
  return words.quote(line.length > maxQuotedCharacters ? `${cutAtWord(line)}…` : line)
}
export const namesOf = (entity: Entity, ids: readonly number[], { nameOf, words }: Sentences, word: string): string =>
  joinWith(
    ids.map((id) => nameOf(entity, id) ?? words.gone),
    word,
  )
export const quoteAll = (texts: readonly string[], word: string, { words }: Sentences): string =>
  joinWith(
    texts.map((text) => words.quote(text)),
    word,
  )
