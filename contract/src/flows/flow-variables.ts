import { z } from 'zod'
import { messageVariables, type RenderMoment, renderVariables, type VariableValues } from '../text/variables.ts'

/** The values that a run has gathered, by name. */
export type FlowVariables = Readonly<Record<string, string>>

/** The longest value that is stored: longer ones are cut. */
export const maxVariableLength = 2000

const isFree = (name: string) => !(messageVariables as readonly string[]).includes(name)
const variablePattern = /^[a-z][a-z0-9_]{0,39}$/i
/** Variables of a flow are written `{{name}}` in texts. The variables that every message has keep their names. */
export const isVariableName = (name: string): boolean => variablePattern.test(name) && isFree(name)
export const variableName = z.string().regex(variablePattern).refine(isFree)

/** A name such as `constructor` must not read what every object has. */
export const variableValue = (variables: FlowVariables, name: string): string =>
  Object.hasOwn(variables, name) ? (variables[name] ?? '') : ''

export function withVariables(variables: FlowVariables, values: Readonly<Record<string, string>>): FlowVariables {
  const added = Object.entries(values).map(([name, value]) => [name, value.slice(0, maxVariableLength)])
  return { ...variables, ...Object.fromEntries(added) }
}

/** The flow's own variables that a text reads. */
export const variablesInText = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(\w+)\s*\}\}/g)].map(([, name]) => name as string).filter(isFree)

/** What fills in a text: the values that every message has, and the moment. */
export type TextValues = { words: VariableValues; moment: RenderMoment }

/** Fills in a text in one pass: braces inside a value stay as the customer typed them. */
export const renderFlowText = (
  text: string,
  variables: FlowVariables,
  { words, moment }: TextValues,
  encode?: (value: string) => string,
): string => renderVariables(text, { ...words, more: variables }, moment, encode)
