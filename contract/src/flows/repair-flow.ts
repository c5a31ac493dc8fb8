import type { FlowRepair } from './check-flow.ts'
import type { FlowDocument } from './flow-document.ts'
import { type FlowStep, listWaysOut, unusedStepId, withWayOut } from './flow-steps.ts'

const insertedWaitMinutes = 60

/** The flow with a proposed change. */
export function repairFlow(document: FlowDocument, repair: FlowRepair): FlowDocument {
  if (repair.kind === 'remove') return removeStep(document, repair.stepId)
  const from = document.steps.find(({ id }) => id === repair.stepId)
  const way = from && listWaysOut(from).find((one) => one.way === repair.way)
  if (!from || !way) return document
  const step = repair.kind === 'hand-over' ? personStep(document) : waitStep(document, way.to)
  const steps = document.steps.map((one) => (one === from ? withWayOut(one, repair.way, step.id) : one))
  return { ...document, steps: steps.some(({ id }) => id === step.id) ? steps : [...steps, step] }
}

/** The flow without the step. What led to it leads nowhere. */
export const removeStep = (document: FlowDocument, stepId: string): FlowDocument => ({
  ...document,
  first: document.first === stepId ? null : document.first,
  steps: document.steps.filter(({ id }) => id !== stepId).map((step) => withoutLinksTo(step, stepId)),
})

/** Also without links that no way out uses. */
function withoutLinksTo(step: FlowStep, stepId: string): FlowStep {
  const ways = listWaysOut(step).flatMap(({ way, to }) => (to === stepId ? [way] : []))
  const unused = [
    ...('next' in step && step.next === stepId ? ['next'] : []),
    ...('otherwise' in step && step.otherwise === stepId ? ['otherwise'] : []),
    ...('silence' in step && step.silence?.next === stepId ? ['silence'] : []),
  ]
  return [...ways, ...unused].reduce((rest, way) => withWayOut(rest, way, null), step)
}

const personStep = (document: FlowDocument): FlowStep =>
  document.steps.find(({ kind }) => kind === 'person') ?? {
    kind: 'person',
    id: unusedStepId(document.steps, 'person'),
    title: '',
    queueId: null,
    text: '',
  }

const waitStep = (document: FlowDocument, next: string | null): FlowStep => ({
  kind: 'wait',
  id: unusedStepId(document.steps, 'wait'),
  title: '',
  until: { kind: 'time', minutes: insertedWaitMinutes, inOpenHours: false },
  next,
  otherwise: null,
})
