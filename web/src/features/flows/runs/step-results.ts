import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { type LineItem, stepsInLine } from '@recado/contract/flows/flow-line'
import type { FlowStep } from '@recado/contract/flows/flow-steps'
import type { StepNumbers } from '@recado/contract/flows/flows'

export type StepResult = Pick<StepNumbers, 'came' | 'answered' | 'failed' | 'inside'>
const noResult: StepResult = { came: 0, answered: 0, failed: 0, inside: 0 }

const linkKeys = ['next', 'otherwise', 'silence', 'at']
/** The same step, wherever it leads. */
const contentOf = (step: FlowStep): string =>
  JSON.stringify(step, (key, value: unknown) => (linkKeys.includes(key) ? undefined : value))

/** What came of the steps of the draft that are as they were published. */
export function resultsOfUnchanged(
  draft: FlowDocument,
  published: FlowDocument | null,
  results: ReadonlyMap<string, StepResult>,
): Map<string, StepResult> {
  const contents = new Map(published?.steps.map((step) => [step.id, contentOf(step)]))
  return new Map(
    draft.steps.flatMap((step) => {
      const result = results.get(step.id)
      return result && contents.get(step.id) === contentOf(step) ? [[step.id, result]] : []
    }),
  )
}

export const resultsById = (numbers: readonly StepNumbers[]): Map<string, StepResult> =>
  new Map(numbers.map((one) => [one.stepId, one]))

const isMessage = ([step]: LineItem): boolean => step?.kind === 'say' || step?.kind === 'split'

/**
 * The results of a sequence, by step. An answer counts for the message before it, although the run has moved on to a
 * wait or another step meanwhile.
 */
export function resultsInLine(document: FlowDocument, numbers: readonly StepNumbers[]): Map<string, StepResult> {
  const byId = resultsById(numbers)
  const results = new Map(byId)
  const sumOf = (steps: FlowStep[], what: 'answered' | 'failed') =>
    steps.reduce((sum, { id }) => sum + (byId.get(id)?.[what] ?? 0), 0)
  const items = stepsInLine(document) ?? []
  for (const [i, item] of items.entries()) {
    const [first] = item
    if (!first || !isMessage(item)) continue
    const after = items.slice(i + 1)
    const nextMessage = after.findIndex(isMessage)
    const part = [item, ...(nextMessage < 0 ? after : after.slice(0, nextMessage))].flat()
    results.set(first.id, {
      ...(byId.get(first.id) ?? noResult),
      answered: sumOf(part, 'answered'),
      failed: sumOf(item, 'failed'),
    })
  }
  return results
}

/** How many runs began, and how many of them the customer ended with an answer. */
export function sumOfLine(
  document: FlowDocument,
  numbers: readonly StepNumbers[],
): { began: number; answered: number } {
  const results = resultsById(numbers)
  const first = stepsInLine(document)?.[0]?.[0]
  return {
    began: (first && results.get(first.id)?.came) ?? 0,
    answered: numbers.reduce((sum, one) => sum + one.answered, 0),
  }
}
