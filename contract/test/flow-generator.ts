import fc from 'fast-check'
import { FlowDocument } from '../src/flows/flow-document.ts'
import type { FlowStepKind } from '../src/flows/flow-steps.ts'

/** Waits of an hour, of half a day, and of more than a day. */
const waitMinutes = [60, 720, 1500]

type StepPlan = { shape: number; links: number[]; size: number }
type Links = (at: number) => string | null
type RawStep = { kind: FlowStepKind; [key: string]: unknown }

/**
 * How each shape of a step is built. The variable `v` is set and read by steps; each branch reads a variable of its own,
 * which only a test sets, so that both ways are possible on every path.
 */
const shapes: ((id: string, link: Links, size: number) => RawStep)[] = [
  (_, link) => ({ kind: 'say', text: 'Hola', next: link(0) }),
  (_, link) => ({ kind: 'say', text: '{{v}}', next: link(0) }),
  (_, link) => ({ kind: 'say', text: '', template: { name: 't', language: 'es' }, next: link(0) }),
  (_, link) => ({ kind: 'tags', add: [1], next: link(0) }),
  (_, link) => ({ kind: 'setVariable', variable: 'v', value: 'x', next: link(0) }),
  (id, link) => ({
    kind: 'branch',
    conditions: { match: 'all', of: [{ field: 'variable', name: `b_${id}`, is: 'set' }] },
    next: link(0),
    otherwise: link(1),
  }),
  (id, link) => ({
    kind: 'switch',
    variable: `b_${id}`,
    cases: [{ value: 'yes', next: link(0) }],
    otherwise: link(1),
  }),
  (_, link) => ({
    kind: 'split',
    shares: [
      { share: 1, next: link(0) },
      { share: 1, next: link(1) },
    ],
  }),
  (_, link) => ({
    kind: 'call',
    url: 'https://a.example/',
    keep: [{ path: 'v', variable: 'v' }],
    next: link(0),
    otherwise: link(1),
  }),
  (_, link, size) => ({
    kind: 'wait',
    until: { kind: 'time', minutes: waitMinutes[size % 3] },
    next: link(0),
  }),
  (_, link) => ({ kind: 'wait', until: { kind: 'opening' }, next: link(0) }),
  (_, link, size) => ({
    kind: 'wait',
    until: { kind: 'answer', minutes: waitMinutes[size % 3], variable: 'v' },
    next: link(0),
    otherwise: link(1),
  }),
  (_, link, size) => ({
    kind: 'ask',
    text: '¿?',
    retryText: size % 2 ? 'No entendí' : '',
    answer: { kind: 'text' },
    variable: 'v',
    retries: size % 3,
    silence: size % 2 ? { minutes: waitMinutes[size % 3], next: link(2) } : null,
    next: link(0),
    otherwise: link(1),
  }),
  (_, link, size) => ({
    kind: 'ask',
    text: '¿?',
    answer: {
      kind: 'choice',
      options: [
        { id: 'a', title: 'A', next: link(0) },
        { id: 'b', title: 'B' },
      ],
    },
    retries: size % 3,
    next: link(2),
    otherwise: link(1),
  }),
  (_, link, size) => ({
    kind: 'respond',
    by: { kind: 'prompt', promptId: 1 },
    turns: 1 + (size % 2),
    silence: { minutes: waitMinutes[size % 3], next: link(2) },
    next: link(0),
    otherwise: link(1),
  }),
  () => ({ kind: 'end' }),
  () => ({ kind: 'person', text: 'Ya te atienden' }),
  () => ({ kind: 'resolve' }),
]

const plan = (shape: fc.Arbitrary<number>, count: number): fc.Arbitrary<StepPlan> =>
  fc.record({
    shape,
    // One link in ten leads nowhere.
    links: fc.tuple(
      ...[0, 1, 2].map(() =>
        fc.oneof({ weight: 9, arbitrary: fc.nat(count - 1) }, { weight: 1, arbitrary: fc.constant(-1) }),
      ),
    ),
    size: fc.nat(5),
  })

const buildDocument = (plans: StepPlan[], kind: FlowDocument['kind'], limits: object): FlowDocument => {
  const steps = plans.map(({ shape, links, size }, i) => {
    const link = (at: number) => (links[at] === -1 ? null : `s${(links[at] ?? 0) % plans.length}`)
    return { id: `s${i}`, ...(shapes[shape] as (typeof shapes)[number])(`s${i}`, link, size) }
  })
  const triggers = [{ kind: 'flow', variables: steps.map(({ id }) => `b_${id}`) }]
  const document = FlowDocument.parse({ kind: 'flow', triggers, first: 's0', steps, limits })
  return { ...document, kind }
}

/** Any graph of up to seven steps; `kind` is only a label, also of graphs that are no line. */
export const anyDocument = fc
  .integer({ min: 1, max: 7 })
  .chain((count) =>
    fc.tuple(
      fc.array(plan(fc.nat(shapes.length - 1), count), { minLength: count, maxLength: count }),
      fc.constantFrom<FlowDocument['kind']>('flow', 'flow', 'sequence'),
      fc.record({ goesOnWithPerson: fc.boolean() }),
    ),
  )
  .map(([plans, kind, limits]) => buildDocument(plans, kind, limits))

export const anyFlow = anyDocument.map((document): FlowDocument => ({ ...document, kind: 'flow' }))

/** The variables that decide the branches, in every combination. */
export function branchVariables({ steps }: FlowDocument): Record<string, string>[] {
  const names = steps.filter(({ kind }) => kind === 'branch' || kind === 'switch').map(({ id }) => `b_${id}`)
  return Array.from({ length: 2 ** names.length }, (_, mask) =>
    Object.fromEntries(names.filter((_, bit) => mask & (1 << bit)).map((name) => [name, 'yes'])),
  )
}
