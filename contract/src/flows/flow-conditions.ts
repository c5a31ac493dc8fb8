import { z } from 'zod'
import { requiredText } from '../endpoint.ts'
import { fold } from '../text/fold.ts'
import { languages } from '../users.ts'
import {
  type ConditionGroup,
  conditionsSchema,
  listConditions,
  meetsCondition,
  meetsGroup,
  TicketCondition,
  type TicketFacts,
} from '../views/ticket-conditions.ts'
import { type FlowVariables, variableName, variableValue } from './flow-variables.ts'

/** How much of a message is searched for words: incoming text has no length limit. */
const maxSearchedCharacters = 4096

const not = z.boolean().default(false)

/** Words of which a text must contain any or all. */
export const SearchedWords = z.object({
  mode: z.enum(['any', 'all']).default('any'),
  words: z.array(requiredText(1, 60)).min(1).max(30),
})
export type SearchedWords = z.infer<typeof SearchedWords>

/** How the value of a variable is compared. `set`: it has a value. Dates and numbers are compared as such. */
export const variableComparisons = ['set', 'equals', 'contains', 'greater', 'less'] as const

/** Every condition of a view, and what only a flow knows. `me` is the user who started the flow. */
export const FlowCondition = z.discriminatedUnion('field', [
  ...TicketCondition.options,
  /** The customer's last message contains the words, without regard to case and accents. */
  SearchedWords.extend({ field: z.literal('words'), not }),
  /** The customer's last message has a file. */
  z.object({ field: z.literal('file'), not }),
  /** The customer's last message is the first one that this contact ever sent. */
  z.object({ field: z.literal('firstMessage'), not }),
  /** The ticket's queue is open, or the company if the ticket has no queue. */
  z.object({ field: z.literal('hours'), not }),
  z.object({ field: z.literal('language'), in: z.array(z.enum(languages)).min(1).max(languages.length), not }),
  z.object({
    field: z.literal('variable'),
    name: variableName,
    is: z.enum(variableComparisons),
    value: z.string().trim().max(200).default(''),
    not,
  }),
])
export type FlowCondition = z.infer<typeof FlowCondition>

export const FlowConditions = conditionsSchema(FlowCondition)
export type FlowConditions = z.infer<typeof FlowConditions>
export type FlowConditionGroup = ConditionGroup<FlowCondition>

/** What is known about the conversation at the moment of a step. */
export type FlowFacts = {
  ticket: TicketFacts
  /** The user who started the flow; null if something else did. */
  startedBy: number | null
  now: number
  isOpen: boolean
  /** The customer's language; null: unknown. */
  language: (typeof languages)[number] | null
  /** The customer's last message; null: they have not written. */
  message: { text: string; hasFile: boolean; isFirst: boolean } | null
}

export const meetsFlowConditions = (group: FlowConditionGroup, facts: FlowFacts, variables: FlowVariables): boolean =>
  meetsGroup(group, (condition) => meetsFlowCondition(condition, facts, variables))

function meetsFlowCondition(condition: FlowCondition, facts: FlowFacts, variables: FlowVariables): boolean {
  switch (condition.field) {
    case 'words':
      return containsWords(facts.message?.text ?? '', condition) !== condition.not
    case 'file':
      return (facts.message?.hasFile ?? false) !== condition.not
    case 'firstMessage':
      return (facts.message?.isFirst ?? false) !== condition.not
    case 'hours':
      return facts.isOpen !== condition.not
    case 'language':
      return (facts.language !== null && condition.in.includes(facts.language)) !== condition.not
    case 'variable':
      return isVariableMet(variableValue(variables, condition.name), condition) !== condition.not
    default:
      // Nobody has the id 0.
      return meetsCondition(facts.ticket, condition, { me: facts.startedBy ?? 0, now: facts.now })
  }
}

/** Letters and digits of the folded text, with one space around every word. */
const spacedWords = (text: string): string =>
  ` ${fold(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** Whether the text contains whole words. A word without letters and digits, such as an emoji, is found anywhere. */
export function containsWords(text: string, { mode, words }: SearchedWords): boolean {
  const searched = text.slice(0, maxSearchedCharacters)
  const [spaced, folded] = [spacedWords(searched), fold(searched)]
  const isContained = (word: string) => {
    const wanted = spacedWords(word)
    return wanted.trim() ? spaced.includes(wanted) : folded.includes(fold(word.trim()))
  }
  return mode === 'all' ? words.every(isContained) : words.some(isContained)
}

export function isVariableMet(
  value: string,
  { is, value: wanted }: Pick<Extract<FlowCondition, { field: 'variable' }>, 'is' | 'value'>,
): boolean {
  if (is === 'set') return value !== ''
  if (is === 'contains') return fold(value).includes(fold(wanted))
  const order = compareValues(value, wanted)
  if (is === 'equals') return order === null ? fold(value.trim()) === fold(wanted) : order === 0
  return order !== null && (is === 'greater' ? order > 0 : order < 0)
}

const numberPattern = /^-?\d{1,15}(\.\d{1,6})?$/
const dayPattern = /^\d{4}-\d\d-\d\d$/

/** Negative if the first is less; null if the two are neither numbers nor days. */
function compareValues(one: string, other: string): number | null {
  const both = [one.trim(), other.trim()]
  if (both.every((value) => numberPattern.test(value))) return Number(both[0]) - Number(both[1])
  if (both.every((value) => dayPattern.test(value))) return both[0] === both[1] ? 0 : one.trim() > other.trim() ? 1 : -1
  return null
}

/** The variables whose values matter; to ask whether a variable is set, it need not be. */
export const variablesInConditions = (group: FlowConditionGroup): string[] =>
  listConditions(group).flatMap((one) => (one.field === 'variable' && one.is !== 'set' ? [one.name] : []))
