import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkFlow, type FlowFindingKind, windowMinutes } from '../src/flows/check-flow.ts'
import { FlowDocument, maxFlowSteps } from '../src/flows/flow-document.ts'
import { listReferences, referencedEntities } from '../src/flows/flow-references.ts'
import { type FlowStep, listWaysOut } from '../src/flows/flow-steps.ts'
import { removeStep, repairFlow } from '../src/flows/repair-flow.ts'
import {
  chooseShare,
  type FlowOutcome,
  type FlowPosition,
  nextMove,
  positionAfter,
  startPosition,
} from '../src/flows/walk.ts'
import { flow, flowFacts, stepExamples, textValues, triggerExamples } from './flow-fixtures.ts'
import { anyFlow, branchVariables } from './flow-generator.ts'

type Steps = Parameters<typeof flow>[0]
const document = (steps: Steps, more: object = {}) => FlowDocument.parse(flow(steps, more))
const found = (steps: Steps, more: object = {}) =>
  checkFlow(document(steps, more)).map(({ kind, stepId, way, variable }) =>
    [kind, stepId, way, variable].filter((part) => part !== null).join(' '),
  )

const say = (id: string, next: string | null, more: object = {}) => ({
  id,
  kind: 'say' as const,
  text: 'Hola',
  next,
  ...more,
})
const template = { template: { name: 't', language: 'es' } }
const wait = (id: string, minutes: number, next: string | null, more: object = {}) => ({
  id,
  kind: 'wait' as const,
  until: { kind: 'time', minutes, ...more },
  next,
})
const ask = (id: string, next: string | null, otherwise: string | null, more: object = {}) => ({
  id,
  kind: 'ask' as const,
  text: '¿?',
  answer: { kind: 'text' },
  next,
  otherwise,
  ...more,
})
const end = { id: 'e', kind: 'end' as const }
const person = { id: 'p', kind: 'person' as const }

describe('checks of a flow', () => {
  it('find nothing in a flow that asks, decides and ends', () => {
    const branch = { id: 'b', kind: 'branch' as const, next: 'e', otherwise: 'p' }
    const conditions = { match: 'all', of: [{ field: 'variable', name: 'x', is: 'equals', value: '1' }] }
    expect(
      found([say('a', 'q'), ask('q', 'b', 'p', { variable: 'x' }), { ...branch, conditions }, end, person]),
    ).toEqual([])
  })

  it.each<[string, Steps, object, string[]]>([
    ['an empty flow', [], {}, ['dead-end']],
    ['no trigger', [end], { triggers: [] }, ['incomplete']],
    ['an empty message', [say('a', 'e', { text: '' }), end], {}, ['incomplete a']],
    [
      'an if without conditions',
      [{ kind: 'branch', id: 'b', conditions: { match: 'all', of: [] }, next: 'e', otherwise: 'e' }, end],
      {},
      ['incomplete b'],
    ],
    ['a way that leads nowhere', [say('a', null)], {}, ['dead-end a next']],
    [
      'an option that leads nowhere',
      [
        ask('q', null, 'p', {
          answer: {
            kind: 'choice',
            options: [
              { id: 'x', title: 'X', next: 'p' },
              { id: 'y', title: 'Y' },
            ],
          },
        }),
        person,
      ],
      {},
      ['dead-end q option:y'],
    ],
    ['a step that nobody reaches', [end, say('x', 'e')], {}, ['unreachable x']],
    ['a circle', [say('a', 'b'), say('b', 'a')], {}, ['loop b next']],
    [
      'a circle through opening hours',
      [say('a', 'w'), { id: 'w', kind: 'wait', until: { kind: 'opening' }, next: 'a' }],
      {},
      [...['loop w next', 'endless w', 'outside-window a']],
    ],
    ['a circle of waits', [say('a', 'w', template), wait('w', 60, 'a')], {}, ['endless w']],
    ['a question without a person', [ask('q', 'r', 'e'), ask('r', 'e', 'e'), end], {}, ['no-person q otherwise']],
    [
      'a question without a person on one way only',
      [ask('q', 'r', 'p'), ask('r', 'e', 'e'), person, end],
      {},
      ['no-person r otherwise'],
    ],
    ['a variable that nothing sets', [say('a', 'e', { text: '{{name}} {{x}}' }), end], {}, ['unset-variable a x']],
    [
      'a variable that is set on one way only',
      [ask('q', 'a', 'a', { variable: 'x' }), say('a', 'p', { text: '{{x}}' }), person],
      {},
      ['unset-variable a x'],
    ],
    [
      'a variable that only one of two triggers brings',
      [say('a', 'e', { text: '{{x}}' }), end],
      { triggers: [{ kind: 'message' }, { kind: 'hook', keep: [{ path: 'x', variable: 'x' }] }] },
      ['unset-variable a x', 'window-unknown a'],
    ],
    [
      'a message after a day',
      [wait('w', 1441, 'a'), say('a', 'e'), end],
      {},
      ['wait-beyond-window w', 'outside-window a'],
    ],
    [
      'a message after several waits',
      [wait('w', 720, 'a'), say('a', 'v'), wait('v', 721, 'b'), say('b', 'e'), end],
      {},
      ['wait-beyond-window v', 'outside-window b'],
    ],
    ['a template after a day', [wait('w', 1441, 'a'), say('a', 'e', template), end], {}, ['wait-beyond-window w']],
    ['a message within the day', [wait('w', 1440, 'a'), say('a', 'e'), end], {}, []],
    [
      'a message after a day of opening hours',
      [wait('w', 60, 'a', { inOpenHours: true }), say('a', 'e'), end],
      {},
      ['wait-beyond-window w', 'outside-window a'],
    ],
    [
      'a message after an answer',
      [wait('w', 1440, 'q'), ask('q', 'v', 'p'), wait('v', 1440, 'a'), say('a', 'e'), end, person],
      {},
      [],
    ],
    [
      'a message to who has been silent for long',
      [say('a', 'e'), end],
      { triggers: [{ kind: 'silent', minutes: 2000 }] },
      ['outside-window a'],
    ],
    [
      'a message of a schedule',
      [say('a', 'e'), end],
      { triggers: [{ kind: 'daily', time: '09:00' }] },
      ['window-unknown a'],
    ],
  ])('find %s', (_, steps, more, expected) => {
    expect(found(steps, more)).toEqual(expected)
  })

  it('accept a test whether a variable is set, before it is set', () => {
    const conditions = { match: 'all', of: [{ field: 'variable', name: 'x', is: 'set' }] }
    expect(found([{ id: 'b', kind: 'branch', conditions, next: 'e', otherwise: 'e' }, end])).toEqual([])
  })

  it('find a path that is longer than the walker follows', () => {
    const path = (count: number): Steps => [
      ...Array.from({ length: count }, (_, i) => say(`s${i}`, i + 1 < count ? `s${i + 1}` : 'e')),
      end,
    ]
    expect(found(path(99))).toEqual([])
    expect(found(path(100))).toEqual(['too-many-steps s0'])
  })

  it('propose no step where there is no room for one', () => {
    const full = Array.from({ length: maxFlowSteps }, (_, i) => say(`s${i}`, `s${i + 1}`))
    const repairs = checkFlow(document([...full.slice(0, -1), say('s199', null)])).map(({ kind, repair }) => [
      kind,
      repair,
    ])
    expect(repairs).toContainEqual(['dead-end', null])
  })

  it('check the largest flow in less than 100 ms', () => {
    const choice = (i: number, next: (n: number) => string) =>
      ask(`s${i}`, next(0), next(1), {
        answer: {
          kind: 'choice',
          options: Array.from({ length: 10 }, (_, n) => ({ id: `o${n}`, title: 'X', next: next(n) })),
        },
        variable: `v${i}`,
        text: `{{v${(i * 7) % 199}}}`,
      })
    const steps = Array.from({ length: maxFlowSteps }, (_, i) =>
      i % 2
        ? choice(i, (n) => `s${(i * 31 + n * 17) % maxFlowSteps}`)
        : wait(`s${i}`, 1, `s${(i * 13 + 7) % maxFlowSteps}`),
    )
    const large = document(steps)
    const costs = [1, 2, 3].map(() => {
      const began = process.threadCpuUsage()
      checkFlow(large)
      return process.threadCpuUsage(began).user / 1000
    })
    expect(Math.min(...costs)).toBeLessThan(100)
  })
})

describe('references of a flow', () => {
  it('name everything outside of it that it needs, and who needs it', () => {
    const steps = stepExamples.map((given, i) => ({ id: `s${i}`, ...given }))
    const fields = ['queue', 'user', 'tag', 'connection', 'ad', 'closingReason', 'owner'] as const
    const conditions = {
      match: 'all',
      of: [
        ...fields.map((field, i) => ({ field, in: [100 + i] })),
        { field: 'queue', in: [null] },
        { field: 'contact', key: 'custom', custom: 'Salida', contains: 'x' },
      ],
    }
    const references = listReferences(
      FlowDocument.parse({ ...flow([]), triggers: triggerExamples.slice(0, 10), conditions, steps, first: null }),
    )
    const at = (stepId: string | null) => references.filter((one) => one.stepId === stepId)
    expect(at('s0')).toEqual([{ entity: 'template', name: 't', language: 'es', stepId: 's0' }])
    expect(references.filter(({ entity }) => entity === 'field')).toEqual([
      { entity: 'field', name: 'Salida', stepId: null },
      { entity: 'field', name: 'Personas', stepId: 's12' },
    ])
    expect(at(null).filter((one) => 'id' in one && one.id >= 100)).toHaveLength(fields.length)
    const entities = new Set(references.map(({ entity }) => entity))
    const missing = referencedEntities.filter((entity) => !entities.has(entity))
    // The examples have no integration, no file and no campaign.
    expect(missing).toEqual(['fileOption', 'integration', 'campaign'])
  })
})

/** Everything that can happen at a position. */
const outcomesAt = (step: FlowStep, isWaiting: boolean): FlowOutcome[] => {
  const says = (text: string): FlowOutcome => ({ kind: 'message', message: { text } })
  if (isWaiting)
    return step.kind === 'wait' && step.until.kind !== 'answer'
      ? [{ kind: 'due' }]
      : [says('1'), says('2'), says(''), { kind: 'due' }]
  const isCall = step.kind === 'call'
  return [
    isCall ? { kind: 'done', values: { v: 'x' } } : { kind: 'done' },
    { kind: 'finished' },
    ...(isCall || step.kind === 'respond' ? [{ kind: 'failed' } as const] : []),
  ]
}

const minutesOf = (step: FlowStep): number => {
  if (step.kind !== 'wait') return 'silence' in step ? (step.silence?.minutes ?? 0) : 0
  return step.until.kind === 'opening' ? windowMinutes + 1 : step.until.minutes
}

type Observations = {
  visited: Set<string>
  ends: Set<string>
  loops: boolean
  unset: Set<string>
  outside: Set<string>
}

/** Plays every run of a small flow to its end. At each move every branch and split may go either way. */
function explore(of: FlowDocument): Observations {
  const seen: Observations = { visited: new Set(), ends: new Set(), loops: false, unset: new Set(), outside: new Set() }
  const states = new Map<string, { position: FlowPosition; silence: number }>()
  const add = (position: FlowPosition, silence: number) => {
    const { stepId, ended, isWaiting, tries, stepsSincePause, variables } = position
    const key = [stepId, ended, isWaiting, tries, stepsSincePause, 'v' in variables, silence].join('|')
    // Only a circle is longer than the flow.
    if (stepsSincePause > of.steps.length) seen.loops = true
    else if (!states.has(key)) states.set(key, { position, silence })
  }
  const surroundings = runIdsFor(of).flatMap((runId) =>
    branchVariables(of).flatMap((decided) => [true, false].map((isOpen) => ({ runId, decided, isOpen }))),
  )
  const answers = { language: 'es', today: '2026-11-19' } as const
  for (const trigger of of.triggers) add(startPosition(of, trigger), 0)
  for (const { position, silence } of states.values())
    for (const { runId, decided, isOpen } of surroundings) {
      const variables = { ...('v' in position.variables ? { v: 'x' } : {}), ...decided }
      const run = { runId, facts: flowFacts({ isOpen }), texts: textValues, answers, isTakenOver: false }
      const move = nextMove(of, { ...position, variables }, run)
      if (move.position.stepsSincePause > of.steps.length) seen.loops = true
      else if (move.kind === 'end') seen.ends.add(move.reason)
      else {
        const { step } = move
        seen.visited.add(step.id)
        if (step.kind === 'say' && step.text === '{{v}}' && !('v' in move.position.variables)) seen.unset.add(step.id)
        const isSpoken =
          move.kind === 'ask' || (move.kind === 'act' && ['say', 'respond', 'person'].includes(step.kind))
        const isTemplate = step.kind === 'say' && step.template !== null
        if (isSpoken && silence > windowMinutes && !isTemplate) seen.outside.add(step.id)
        for (const outcome of outcomesAt(step, move.position.isWaiting)) {
          const next = positionAfter(of, move.position, outcome, run)
          const later = outcome.kind === 'due' && next !== move.position ? silence + minutesOf(step) : silence
          add(next, outcome.kind === 'message' ? 0 : Math.min(later, windowMinutes + 1))
        }
      }
    }
  return seen
}

/** Run ids that together take every combination of the ways of all splits. */
function runIdsFor({ steps }: FlowDocument): string[] {
  const splits = steps.filter((step) => step.kind === 'split')
  const ids = new Map<string, string>()
  for (let n = 0; ids.size < 2 ** splits.length; n++) {
    const ways = splits.map((split) => chooseShare(split, `r${n}`)).join()
    if (!ids.has(ways)) ids.set(ways, `r${n}`)
  }
  return [...ids.values()]
}

const decisions = ({ steps }: FlowDocument) =>
  steps.filter(({ kind }) => ['branch', 'switch', 'split'].includes(kind)).length
const smallFlow = anyFlow.filter((of) => decisions(of) <= 3)

/** Which steps are reached from which, by Warshall's algorithm. */
function reachability({ steps }: FlowDocument): (from: string, to: string) => boolean {
  const pairs = new Set(
    steps.flatMap((step) => [`${step.id} ${step.id}`, ...listWaysOut(step).map(({ to }) => `${step.id} ${to}`)]),
  )
  for (const { id: via } of steps)
    for (const { id: from } of steps)
      for (const { id: to } of steps)
        if (pairs.has(`${from} ${via}`) && pairs.has(`${via} ${to}`)) pairs.add(`${from} ${to}`)
  return (from, to) => pairs.has(`${from} ${to}`)
}

describe('checks of generated flows', () => {
  it('agree with every run there can be', () => {
    const counts = new Map<string, number>()
    fc.assert(
      fc.property(smallFlow, (of) => {
        const findings = checkFlow(of)
        const stepsWith = (kind: FlowFindingKind) =>
          findings.flatMap((one) => (one.kind === kind && one.stepId !== null ? [one.stepId] : [])).sort()
        for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1)
        const seen = explore(of)
        // Steps that a run passes by itself are not seen from outside.
        const isSeen = ({ kind }: FlowStep) => !['branch', 'switch', 'split', 'setVariable', 'end'].includes(kind)
        const unreachable = stepsWith('unreachable')
        for (const step of of.steps.filter(isSeen))
          expect(seen.visited.has(step.id), step.id).toBe(!unreachable.includes(step.id))
        expect(seen.ends.has('dead-end')).toBe(findings.some(({ kind }) => kind === 'dead-end'))
        expect(seen.loops).toBe(findings.some(({ kind }) => kind === 'loop'))
        expect([...seen.unset].sort()).toEqual(stepsWith('unset-variable'))
        expect([...seen.outside].sort()).toEqual(stepsWith('outside-window'))
        if (findings.every(({ level }) => level !== 'error')) {
          counts.set('good', (counts.get('good') ?? 0) + 1)
          for (const reason of seen.ends) expect(['end', 'person', 'resolved']).toContain(reason)
        }
      }),
      { numRuns: 600 },
    )
    for (const kind of ['good', 'unreachable', 'dead-end', 'loop', 'unset-variable', 'outside-window'])
      expect(counts.get(kind) ?? 0, kind).toBeGreaterThan(10)
  })

  it('agree with the reachability of persons and ends', () => {
    const counts = new Map<string, number>()
    fc.assert(
      fc.property(anyFlow, (of) => {
        const findings = checkFlow(of)
        for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1)
        const isReached = reachability(of)
        const reached = of.steps.filter(({ id }) => isReached('s0', id))
        const leadsTo = (from: FlowStep, isGoal: (step: FlowStep) => boolean) =>
          reached.some((step) => isGoal(step) && isReached(from.id, step.id))
        const lost = reached.filter(
          (step) => ['ask', 'respond'].includes(step.kind) && !leadsTo(step, ({ kind }) => kind === 'person'),
        )
        const reported = findings.flatMap(({ kind, stepId }) => (kind === 'no-person' ? [stepId as string] : []))
        // Every question without a person is reported, or comes after one that is.
        for (const step of lost) expect(reported.some((id) => isReached(id, step.id))).toBe(true)
        for (const id of reported) expect(lost.map((step) => step.id)).toContain(id)
        const isExit = (step: FlowStep) => step.kind === 'ask' || listWaysOut(step).every(({ to }) => to === null)
        expect(findings.flatMap(({ kind, stepId }) => (kind === 'endless' ? [stepId] : [])).sort()).toEqual(
          reached
            .filter((step) => step.kind === 'wait' && !leadsTo(step, isExit))
            .map(({ id }) => id)
            .sort(),
        )
      }),
      { numRuns: 2000 },
    )
    for (const kind of ['no-person', 'endless']) expect(counts.get(kind) ?? 0, kind).toBeGreaterThan(10)
  })

  it('propose repairs that remove the finding, and leave a valid document', () => {
    const repaired = new Set<string>()
    fc.assert(
      fc.property(anyFlow, (of) => {
        for (const { kind, stepId, way, repair } of checkFlow(of)) {
          if (!repair) continue
          repaired.add(kind)
          const after = repairFlow(of, repair)
          expect(FlowDocument.safeParse(after).error).toBeUndefined()
          expect(checkFlow(after)).not.toContainEqual(expect.objectContaining({ kind, stepId, way }))
        }
      }),
      { numRuns: 1000 },
    )
    expect([...repaired].sort()).toEqual(['dead-end', 'loop', 'no-person', 'unreachable'])
  })

  it('leave a valid document when any step is removed', () => {
    fc.assert(
      fc.property(anyFlow, fc.nat(6), (of, at) => {
        const id = of.steps[at % of.steps.length]?.id ?? ''
        expect(FlowDocument.safeParse(removeStep(of, id)).error).toBeUndefined()
      }),
    )
  })
})
