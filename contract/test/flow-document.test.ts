import { describe, expect, it } from 'vitest'
import { FlowDocument, maxFlowSteps, reachedLimit } from '../src/flows/flow-document.ts'
import { type LineItem, linkInLine, stepsInLine } from '../src/flows/flow-line.ts'
import { FlowStep, isStepComplete, listWaysOut, textsOfStep, withWayOut } from '../src/flows/flow-steps.ts'
import { FlowTrigger, variablesOfTrigger } from '../src/flows/flow-triggers.ts'
import { flow, step, stepExamples, triggerExamples } from './flow-fixtures.ts'
import { hostileFlows } from './hostile-flows.ts'

const accepts = (given: unknown) => FlowDocument.safeParse(given).success

describe('triggers of flows', () => {
  it.each(triggerExamples)('accept %j', (trigger) => {
    expect(FlowTrigger.safeParse(trigger).success).toBe(true)
  })

  it.each([
    { kind: 'unknown' },
    { kind: 'silent', minutes: 0 },
    { kind: 'silent', minutes: 525_601 },
    { kind: 'daily', time: '24:00' },
    { kind: 'weekly', time: '09:00', days: [] },
    { kind: 'weekly', time: '09:00', days: [7] },
    { kind: 'fieldDate', field: 'Salida', days: 366, time: '09:00' },
    { kind: 'fieldDate', field: '', days: 1, time: '09:00' },
    { kind: 'tagged', tagIds: Array(51).fill(1) },
    { kind: 'message', words: { words: [] } },
    { kind: 'hook', keep: [{ path: 'a..b', variable: 'x' }] },
    { kind: 'hook', keep: [{ path: 'a', variable: 'name' }] },
    { kind: 'rated', from: -1 },
  ])('refuse %j', (trigger) => {
    expect(FlowTrigger.safeParse(trigger).success).toBe(false)
  })

  it('name the variables that they bring along', () => {
    const hook = FlowTrigger.parse({ kind: 'hook', keep: [{ path: 'order.id', variable: 'orderId' }] })
    expect(variablesOfTrigger(hook)).toEqual(['orderId'])
    expect(variablesOfTrigger(FlowTrigger.parse({ kind: 'flow', variables: ['a'] }))).toEqual(['a'])
    expect(variablesOfTrigger(FlowTrigger.parse({ kind: 'person' }))).toEqual([])
  })
})

describe('steps of flows', () => {
  it.each(stepExamples)('accept a complete $kind step', (given) => {
    const parsed = FlowStep.safeParse({ id: 'a', ...given })
    expect(parsed.error).toBeUndefined()
    expect(parsed.data && isStepComplete(parsed.data)).toBe(true)
  })

  it.each([
    { kind: 'say', text: 'x'.repeat(4097) },
    { kind: 'say', buttons: Array(4).fill({ id: 'a', title: 'A' }) },
    { kind: 'ask', answer: { kind: 'choice', options: [] } },
    { kind: 'ask', answer: { kind: 'text' }, retries: 6 },
    { kind: 'split', shares: [{ share: 1 }] },
    { kind: 'wait', until: { kind: 'time', minutes: 0 } },
    { kind: 'call', url: 'https://{{host}}/x' },
    { kind: 'call', url: 'https://api.example@evil.example/' },
    { kind: 'call', url: 'file:///etc/passwd' },
    { kind: 'call', url: 'https://a.example', headers: [{ name: 'a b', value: '' }] },
    { kind: 'respond', by: { kind: 'prompt', promptId: 1 }, turns: 51 },
    { kind: 'jump' },
  ])('refuse %j', (given) => {
    expect(FlowStep.safeParse({ id: 'a', ...given }).success).toBe(false)
  })

  it.each(['', '-a', 'x'.repeat(25), 'a b', '__proto__'])('refuse the id %j', (id) => {
    expect(FlowStep.safeParse({ id, kind: 'end' }).success).toBe(false)
  })

  it.each(stepExamples)('of the kind $kind can be linked at each of their ways out, one by one', (given) => {
    const made = step('a', given)
    for (const { way } of listWaysOut(made)) {
      const before = listWaysOut(made).filter((one) => one.way !== way)
      const linked = withWayOut(made, way, 'z')
      expect(listWaysOut(linked).find((one) => one.way === way)?.to).toBe('z')
      // Options without a step of their own follow `next`.
      if (way !== 'next') expect(listWaysOut(linked).filter((one) => one.way !== way)).toEqual(before)
    }
    expect(withWayOut(made, 'case:99', 'z')).toEqual(made)
  })

  it('list every text that is filled in with variables', () => {
    const marked = stepExamples.map((given) => JSON.stringify(given).match(/\{\{\w+\}\}/g) ?? [])
    const listed = stepExamples.map(
      (given) =>
        textsOfStep(step('a', given))
          .join()
          .match(/\{\{\w+\}\}/g) ?? [],
    )
    expect(listed.map((some) => some.toSorted())).toEqual(marked.map((some) => some.toSorted()))
    expect(marked.flat().length).toBeGreaterThan(8)
  })
})

describe('documents of flows', () => {
  it('accept drafts: without steps, and with steps that lead nowhere', () => {
    expect(accepts({ kind: 'flow', triggers: [], first: null, steps: [] })).toBe(true)
    expect(accepts(flow([{ id: 'a', kind: 'say' }]))).toBe(true)
  })

  it.each<[string, object]>([
    [
      'two steps with one id',
      flow([
        { id: 'a', kind: 'end' },
        { id: 'a', kind: 'end' },
      ]),
    ],
    ['a first step that does not exist', { ...flow([{ id: 'a', kind: 'end' }]), first: 'b' }],
    ['a link to a step that does not exist', flow([{ id: 'a', kind: 'say', next: 'b' }])],
    [
      'such a link that no way out uses',
      flow([
        {
          id: 'a',
          kind: 'ask',
          next: 'z',
          answer: { kind: 'choice', options: [{ id: 'o', title: 'O', next: 'a' }] },
        },
      ]),
    ],
    [
      'two options with one id',
      flow([
        {
          id: 'a',
          kind: 'ask',
          answer: {
            kind: 'choice',
            options: [
              { id: 'o', title: 'A' },
              { id: 'o', title: 'B' },
            ],
          },
        },
      ]),
    ],
    [
      'a branch in a rule',
      { ...flow([{ id: 'a', kind: 'branch', conditions: { match: 'all', of: [] } }]), kind: 'rule' },
    ],
    ['a question in a sequence', { ...flow([{ id: 'a', kind: 'ask', answer: { kind: 'text' } }]), kind: 'sequence' }],
    [
      'a step beside the line of a rule',
      {
        ...flow([
          { id: 'a', kind: 'end' },
          { id: 'b', kind: 'end' },
        ]),
        kind: 'rule',
      },
    ],
    ['a rule in a circle', { ...flow([{ id: 'a', kind: 'say', next: 'a' }]), kind: 'rule' }],
  ])('refuse %s', (_, document) => {
    expect(accepts(document)).toBe(false)
  })

  const manySteps = (count: number) => flow(Array.from({ length: count }, (_, i) => ({ id: `s${i}`, kind: 'end' })))
  it('have at most 200 steps and 256 kB', () => {
    expect(accepts(manySteps(maxFlowSteps))).toBe(true)
    expect(accepts(manySteps(maxFlowSteps + 1))).toBe(false)
    const long = Array.from({ length: 100 }, (_, i) => ({ id: `s${i}`, kind: 'say' as const, text: 'x'.repeat(2000) }))
    expect(accepts(flow(long))).toBe(true)
    expect(accepts(flow(long.map((one) => ({ ...one, text: 'x'.repeat(3000) }))))).toBe(false)
  })

  it.each(hostileFlows)('refuse %s', (_, document) => {
    expect(accepts(document)).toBe(false)
  })
})

describe('limits of flows', () => {
  const now = Date.parse('2026-11-19T12:00:00Z')
  const hour = 3_600_000
  const { limits } = FlowDocument.parse({
    ...flow([]),
    limits: { hoursPerContact: 24, runsPerDay: 3, pauseMinutes: 720 },
  })
  const history = { now, lastRunAt: null, lastAutomaticAt: null, runsToday: 0 }
  it('let a flow start, or name the limit that is reached', () => {
    expect(reachedLimit(limits, history)).toBeNull()
    expect(reachedLimit(limits, { ...history, lastRunAt: now - 23 * hour })).toBe('hoursPerContact')
    expect(reachedLimit(limits, { ...history, lastRunAt: now - 24 * hour })).toBeNull()
    expect(reachedLimit(limits, { ...history, runsToday: 3 })).toBe('runsPerDay')
    expect(reachedLimit(limits, { ...history, lastAutomaticAt: now - 11 * hour })).toBe('pauseMinutes')
    expect(reachedLimit(FlowDocument.parse(flow([])).limits, { ...history, lastRunAt: now, runsToday: 999 })).toBeNull()
  })
})

describe('steps in a straight line', () => {
  const ids = (items: LineItem[] | null) => items?.map((item) => item.map(({ id }) => id))
  const say = (id: string) => step(id, { kind: 'say', text: 'Hola' })
  const split = step('ab', { kind: 'split', shares: [{ share: 50 }, { share: 50 }] })
  const lines: [string, LineItem[]][] = [
    ['nothing', []],
    ['one message', [[say('a')]]],
    ['messages with waits', [[say('a')], [step('w', { kind: 'wait', until: { kind: 'opening' } })], [say('b')]]],
    ['two variants of a message', [[say('x')], [split, say('a'), say('b')], [say('c')]]],
    ['variants at the end', [[split, say('a'), say('b')]]],
    ['a call', [[step('c', { kind: 'call', url: 'https://a.example/' })], [say('a')]]],
    ['a hand-over', [[say('a')], [step('p', { kind: 'person' })]]],
    ['a step that is called end', [[say('end')], [step('person', { kind: 'tags', add: [1] })]]],
  ]
  it.each(lines)('are linked and read back: %s', (_, items) => {
    const linked = linkInLine(items)
    const document = { ...flow([]), ...linked, kind: 'sequence' }
    expect(FlowDocument.safeParse(document).error).toBeUndefined()
    const read = stepsInLine({ ...linked, kind: 'sequence' })
    expect(ids(read)).toEqual(ids(items))
    expect(linkInLine(read ?? [])).toEqual(linked)
  })

  it('lead a question that is not understood to a person, and silence to the end', () => {
    const ask = step('q', {
      kind: 'ask',
      text: '¿?',
      answer: { kind: 'choice', options: [{ id: 'o', title: 'O' }] },
      silence: { minutes: 60 },
    })
    const { steps } = linkInLine([[ask], [say('a')]])
    expect(listWaysOut(steps[0] as FlowStep)).toEqual([
      { way: 'option:o', to: 'a' },
      { way: 'otherwise', to: 'person' },
      { way: 'silence', to: 'end' },
    ])
    expect(steps.map(({ id }) => id)).toEqual(['q', 'a', 'end', 'person'])
    expect(accepts({ ...flow([]), kind: 'rule', first: 'q', steps })).toBe(true)
  })
})
