import type { FlowDocument } from '@recado/contract/flows/flow-document'
import { type FlowStep, listWaysOut, unusedStepId, type WayOut, withWayOut } from '@recado/contract/flows/flow-steps'
import { removeStep } from '@recado/contract/flows/repair-flow'

/** A way out of a step; `stepId` null: the beginning of the flow, whose only way is `first`. */
export type Spot = { stepId: string | null; way: string }
export const startSpot: Spot = { stepId: null, way: 'first' }

export const findStep = (document: FlowDocument, id: string | null): FlowStep | undefined =>
  document.steps.find((step) => step.id === id)

export function waysFrom(document: FlowDocument, stepId: string | null): WayOut[] {
  if (stepId === null) return [{ way: startSpot.way, to: document.first }]
  const step = findStep(document, stepId)
  return step ? listWaysOut(step) : []
}

/** The way on which a conversation normally goes on; null: the step decides between ways, or is the last one. */
export function mainWayOf(step: FlowStep): string | null {
  if (step.kind === 'branch') return null
  return listWaysOut(step).some(({ way }) => way === 'next') ? 'next' : null
}

export const replaceStep = (document: FlowDocument, step: FlowStep): FlowDocument => ({
  ...document,
  steps: document.steps.map((old) => (old.id === step.id ? step : old)),
})

/** Gives each option its own target: otherwise an option that is disconnected would go on at `next`. */
function withOwnTargets(step: FlowStep): FlowStep {
  if (step.kind !== 'ask' || step.answer.kind !== 'choice' || step.next === null) return step
  const options = step.answer.options.map((option) => ({ ...option, next: option.next ?? step.next }))
  return { ...step, answer: { ...step.answer, options }, next: null }
}

/** Lets a way go on at a step; null: nowhere. */
export function connect(document: FlowDocument, { stepId, way }: Spot, to: string | null): FlowDocument {
  if (stepId === null) return { ...document, first: to }
  const step = findStep(document, stepId)
  return step ? replaceStep(document, withWayOut(withOwnTargets(step), way, to)) : document
}

/** Where a step is added after another one: its first open way, otherwise the way on which it normally goes on. */
export function spotAfter(document: FlowDocument, stepId: string | null): Spot | null {
  const ways = waysFrom(document, stepId)
  const step = findStep(document, stepId)
  const way = ways.find(({ to }) => to === null)?.way ?? (step && mainWayOf(step)) ?? ways[0]?.way
  return way === undefined ? null : { stepId, way }
}

const firstWayOf = (step: FlowStep): string | undefined => mainWayOf(step) ?? listWaysOut(step)[0]?.way

/** Adds a step at a way. It goes on where the way went. */
export function insertStep(document: FlowDocument, step: FlowStep, spot: Spot): FlowDocument {
  const old = waysFrom(document, spot.stepId).find(({ way }) => way === spot.way)?.to ?? null
  const way = firstWayOf(step)
  const linked = way === undefined || old === null ? step : withWayOut(step, way, old)
  return connect({ ...document, steps: [...document.steps, linked] }, spot, linked.id)
}

/** Adds a step after another one, or before it if nothing can follow it. */
export function addStepAfter(document: FlowDocument, step: FlowStep, stepId: string | null): FlowDocument {
  const spot = spotAfter(document, stepId)
  if (spot) return insertStep(document, step, spot)
  const way = firstWayOf(step)
  const added = { ...document, steps: [...document.steps, way === undefined ? step : withWayOut(step, way, stepId)] }
  return way === undefined ? added : redirectLinks(added, stepId, step.id, step.id)
}

/** Lets everything that leads to a step lead to another one. The links of `except` stay. */
function redirectLinks(document: FlowDocument, from: string | null, to: string | null, except?: string): FlowDocument {
  const first = document.first === from ? to : document.first
  const steps = document.steps.map((step) => {
    if (step.id === except) return step
    const ways = listWaysOut(step).filter((one) => one.to === from)
    return ways.reduce((changed, { way }) => withWayOut(changed, way, to), ways.length ? withOwnTargets(step) : step)
  })
  return { ...document, first, steps }
}

/** Removes steps. What led to a step with one way leads to where that way went. */
export const removeSteps = (document: FlowDocument, ids: readonly string[]): FlowDocument =>
  ids.reduce((rest, id) => {
    const step = findStep(rest, id)
    if (!step) return rest
    const main = mainWayOf(step)
    const to = listWaysOut(step).find(({ way }) => way === main)?.to ?? null
    return removeStep(to === null || to === id ? rest : redirectLinks(rest, id, to, id), id)
  }, document)

/** A copy after the step. A copy of a step that decides or ends is not connected to anything before it. */
export function duplicateStep(document: FlowDocument, id: string): { document: FlowDocument; id: string } | null {
  const step = findStep(document, id)
  if (!step) return null
  const { at: _, ...copied } = structuredClone(step)
  const copy = { ...copied, id: unusedStepId(document.steps, step.kind) } as FlowStep
  const main = mainWayOf(step)
  if (main !== null) return { document: insertStep(document, copy, { stepId: id, way: main }), id: copy.id }
  return { document: { ...document, steps: [...document.steps, copy] }, id: copy.id }
}

const previousInLine = (document: FlowDocument, id: string): FlowStep | undefined =>
  document.steps.find((step) => {
    const main = mainWayOf(step)
    return main !== null && step.id !== id && listWaysOut(step).some(({ way, to }) => way === main && to === id)
  })

/** Exchanges a step with the next one in its line (1) or the previous one (-1); null: there is none. */
export function moveInLine(document: FlowDocument, id: string, by: 1 | -1): FlowDocument | null {
  if (by === -1) {
    const previous = previousInLine(document, id)
    return previous ? moveInLine(document, previous.id, 1) : null
  }
  const step = findStep(document, id)
  const main = step && mainWayOf(step)
  const nextId = step && listWaysOut(step).find(({ way }) => way === main)?.to
  const next = findStep(document, nextId ?? null)
  const nextMain = next && mainWayOf(next)
  if (!step || !next || !main || !nextMain || next.id === id) return null
  const after = listWaysOut(next).find(({ way }) => way === nextMain)?.to ?? null
  const redirected = redirectLinks(document, id, next.id, next.id)
  const moved = connect(redirected, { stepId: next.id, way: nextMain }, id)
  return connect(moved, { stepId: id, way: main }, after === id ? next.id : after)
}

/** Keeps the places to which steps were moved by hand. */
export const moveSteps = (
  document: FlowDocument,
  places: ReadonlyMap<string, { x: number; y: number }>,
): FlowDocument => ({
  ...document,
  steps: document.steps.map((step) => {
    const at = places.get(step.id)
    return at ? { ...step, at } : step
  }),
})

export const isAnyStepMoved = ({ steps }: FlowDocument): boolean => steps.some(({ at }) => at !== undefined)
/** Gives the places of all steps back to the layout. */
export const arrangeSteps = (document: FlowDocument): FlowDocument => ({
  ...document,
  steps: document.steps.map(({ at: _, ...step }) => step as FlowStep),
})
