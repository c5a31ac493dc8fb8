import { type FlowStep, listWaysOut, unusedStepId, withWayOut } from './flow-steps.ts'

/** The steps of a rule and of a sequence are a straight line. */
export const flowKinds = ['rule', 'sequence', 'flow'] as const
export type FlowKind = (typeof flowKinds)[number]

/** A place in a straight line: one step, or a split with its variants, which are messages. */
export type LineItem = FlowStep[]

type LinkedSteps = { first: string | null; steps: FlowStep[] }

const isAllowedInLine = (step: FlowStep, kind: FlowKind): boolean => {
  if (step.kind === 'branch' || step.kind === 'switch') return false
  if (step.kind === 'wait') return step.until.kind !== 'answer'
  // An answer ends a sequence, so a question in it could not go on.
  return kind !== 'sequence' || (step.kind !== 'ask' && step.kind !== 'respond')
}

/** The line of a rule or sequence without its `end`; null if the steps are no straight line. */
export function stepsInLine({ kind, first, steps }: LinkedSteps & { kind: FlowKind }): LineItem[] | null {
  const byId = new Map(steps.map((step) => [step.id, step]))
  const inLine = new Set<string>()
  const sideways: (string | null)[] = []
  const items: LineItem[] = []
  let at = first
  while (at !== null) {
    const step = byId.get(at)
    if (!step || inLine.has(at) || !isAllowedInLine(step, kind)) return null
    const item = lineItem(step, byId)
    if (!item) return null
    for (const { id } of item) inLine.add(id)
    const next = nextOfItem(item)
    if (step.kind !== 'split') sideways.push(...listWaysOut(step).flatMap(({ to }) => (to === next ? [] : [to])))
    if (step.kind !== 'end') items.push(item)
    at = next
  }
  // What fails leaves the line, but only to an end or a person.
  const isExit = (id: string) => byId.get(id)?.kind === 'end' || byId.get(id)?.kind === 'person'
  if (!sideways.every((to) => to === null || isExit(to))) return null
  const reached = new Set([...inLine, ...sideways])
  return steps.every(({ id }) => reached.has(id)) ? items : null
}

/** The step, and of a split its variants too; null if these are not different messages with the same next step. */
function lineItem(step: FlowStep, byId: Map<string, FlowStep>): LineItem | null {
  if (step.kind !== 'split') return [step]
  const variants = step.shares.flatMap(({ next }) => byId.get(next ?? '') ?? [])
  const nexts = new Set(variants.map((variant) => (variant.kind === 'say' ? variant.next : undefined)))
  const isWhole = new Set(variants).size === step.shares.length && nexts.size === 1 && !nexts.has(undefined)
  return isWhole ? [step, ...variants] : null
}

const nextOfItem = (item: LineItem): string | null => {
  const last = item.at(-1)
  return last && 'next' in last ? last.next : null
}

/**
 * Links the steps of a line, and adds the `end`, and a person for a question that is not answered. A failed call goes on
 * with the next step.
 */
export function linkInLine(items: LineItem[]): LinkedSteps {
  if (!items.length) return { first: null, steps: [] }
  const end: FlowStep = { kind: 'end', id: unusedStepId(items.flat(), 'end'), title: '' }
  const ownPerson = items.flat().find(({ kind }) => kind === 'person')
  const person = ownPerson ?? {
    kind: 'person' as const,
    id: unusedStepId(items.flat(), 'person'),
    title: '',
    queueId: null,
    text: '',
  }
  const linked = items.flatMap((item, i) => linkItem(item, items[i + 1]?.[0]?.id ?? end.id, person.id, end.id))
  const targets = new Set(linked.flatMap(listWaysOut).map(({ to }) => to))
  const exits = [end, ...(ownPerson ? [] : [person])].filter(({ id }) => targets.has(id))
  return { first: items[0]?.[0]?.id ?? null, steps: [...linked, ...exits] }
}

function linkItem([step, ...variants]: LineItem, next: string, person: string, end: string): FlowStep[] {
  if (step?.kind === 'split') {
    const shares = step.shares.map((share, i) => ({ ...share, next: variants[i]?.id ?? null }))
    return [{ ...step, shares }, ...variants.map((variant) => withWayOut(variant, 'next', next))]
  }
  if (!step) return []
  const asks = step.kind === 'ask' || step.kind === 'respond'
  return [
    listWaysOut(step).reduce<FlowStep>((linked, { way }) => {
      if (way.startsWith('option:')) return withWayOut(withWayOut(linked, way, null), 'next', next)
      if (way === 'silence') return withWayOut(linked, way, end)
      return withWayOut(linked, way, way === 'otherwise' && asks ? person : next)
    }, step),
  ]
}
