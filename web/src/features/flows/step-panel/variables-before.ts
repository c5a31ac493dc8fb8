import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { type FlowStep, listWaysOut, variablesSetOnWay } from '@recado/contract/flows/flow-steps'
import { variablesOfTrigger } from '@recado/contract/flows/flow-triggers'
import { variableName } from '@recado/contract/flows/flow-variables'
import { fold } from '@recado/contract/text/fold'
import { buildSchema } from '../../../lib/lazy-schemas.ts'
import { zodSubset } from '../../../lib/zod-subset.ts'

/** The variables that may have a value when a run comes to the step, in the order of the steps. */
export function variablesBefore({ triggers, steps }: FlowDocument, stepId: string): string[] {
  const before = new Set<string>([stepId])
  for (const id of before)
    for (const step of steps) if (listWaysOut(step).some(({ to }) => to === id)) before.add(step.id)
  const isBefore = (step: FlowStep) =>
    before.has(step.id) &&
    // The step itself is before itself only in a circle.
    (step.id !== stepId || listWaysOut(step).some(({ to }) => to !== null && before.has(to)))
  const names = steps
    .filter(isBefore)
    .flatMap((step) => listWaysOut(step).flatMap(({ way }) => variablesSetOnWay(step, way)))
  return [...new Set([...triggers.flatMap(variablesOfTrigger), ...names])]
}

/** Every variable that the flow sets somewhere. */
export const variablesOfFlow = ({ triggers, steps }: FlowDocument): string[] => [
  ...new Set([
    ...triggers.flatMap(variablesOfTrigger),
    ...steps.flatMap((step) => listWaysOut(step).flatMap(({ way }) => variablesSetOnWay(step, way))),
  ]),
]

/** A typed name as a variable can be called: `Número de pedido` becomes `numero_de_pedido`. Empty: it cannot. */
export function toVariableName(typed: string): string {
  const name = fold(typed)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+/, '')
    .replace(/_$/, '')
    .slice(0, 40)
  return buildSchema(variableName, zodSubset).safeParse(name).success ? name : ''
}
