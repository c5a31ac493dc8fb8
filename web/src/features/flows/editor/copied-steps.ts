import { type FlowDocument, maxFlowSteps } from '@recado/contract/flows/flow-document'
import { type FlowStep, listWaysOut, unusedStepId, withWayOut } from '@recado/contract/flows/flow-steps'
import { connect, startSpot, waysFrom } from './edit-graph.ts'

export const clipboardFormat = 'recado-flow-steps'

/** Lets every link that leads out of these steps lead nowhere. */
function withoutOtherLinks(steps: readonly FlowStep[]): FlowStep[] {
  const ids = new Set(steps.map(({ id }) => id))
  return mapLinks(steps, (to) => (to !== null && ids.has(to) ? to : null))
}

/** Also the links that no way out uses now, such as the `next` of a choice. */
function mapLinks(steps: readonly FlowStep[], map: (to: string | null) => string | null): FlowStep[] {
  return steps.map((step) => {
    const base = {
      ...step,
      ...('next' in step && { next: map(step.next) }),
      ...('otherwise' in step && { otherwise: map(step.otherwise) }),
    } as FlowStep
    const others = listWaysOut(step).filter(({ way }) => way.includes(':') || way === 'silence')
    return others.reduce((changed, { way }) => withWayOut(changed, way, map(ownTarget(step, way))), base)
  })
}

/** Where a way itself leads: an option without an own target is listed with the question's `next`. */
function ownTarget(step: FlowStep, way: string): string | null {
  if (step.kind === 'ask' && step.answer.kind === 'choice' && way.startsWith('option:'))
    return step.answer.options.find(({ id }) => `option:${id}` === way)?.next ?? null
  return listWaysOut(step).find((one) => one.way === way)?.to ?? null
}

/** Steps as a text for the clipboard. */
export function stepsToText(document: FlowDocument, ids: readonly string[]): string {
  const steps = document.steps.filter(({ id }) => ids.includes(id))
  return JSON.stringify({ format: clipboardFormat, steps: withoutOtherLinks(steps) })
}

type Pasted = { document: FlowDocument; ids: string[] }

/** Adds steps with new ids, at the first open way of a step if it has one; null: there is no room for them. */
export function pasteSteps(document: FlowDocument, steps: readonly FlowStep[], after: string | null): Pasted | null {
  if (document.steps.length + steps.length > maxFlowSteps) return null
  const ids = new Map<string, string>()
  const all = [...document.steps]
  for (const step of steps) {
    const id = unusedStepId(all, step.kind)
    ids.set(step.id, id)
    all.push({ ...step, id })
  }
  const added = mapLinks(steps, (to) => (to === null ? null : (ids.get(to) ?? null))).map(
    ({ at: _, ...step }) => ({ ...step, id: ids.get(step.id) }) as FlowStep,
  )
  const pasted = { ...document, steps: [...document.steps, ...added] }
  const targets = new Set(added.flatMap(listWaysOut).map(({ to }) => to))
  const entry = added.find(({ id }) => !targets.has(id)) ?? added[0]
  const open = waysFrom(document, after).find(({ to }) => to === null)
  const spot = open && (after === null ? startSpot : { stepId: after, way: open.way })
  return {
    document: entry && spot ? connect(pasted, spot, entry.id) : pasted,
    ids: added.map(({ id }) => id),
  }
}
