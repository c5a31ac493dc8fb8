import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FlowDocument } from '../src/flows/flow-document.ts'
import { FlowTestWrite, TestEntry, TestScene } from '../src/flows/flow-tests.ts'
import { failingTests, type SimulatedLine, simulateFlow } from '../src/flows/simulate-flow.ts'
import { flow, stepExamples } from './flow-fixtures.ts'
import { anyDocument } from './flow-generator.ts'

const document = (steps: Parameters<typeof flow>[0], more: object = {}) => FlowDocument.parse(flow(steps, more))
const scene = (more: object = {}) => TestScene.parse(more)
const says = (text: string, more: object = {}) => TestEntry.parse({ kind: 'message', text, ...more })
const presses = (optionId: string, text: string) => says(text, { optionId })
const time = TestEntry.parse({ kind: 'time' })
const end = { id: 'end', kind: 'end' } as const
const person = { id: 'person', kind: 'person' } as const

/** The lines in short. */
const shorten = (line: SimulatedLine): string => {
  switch (line.kind) {
    case 'customer':
      return `> ${line.text || (line.file ?? (line.isPlace ? 'place' : ''))}`
    case 'said':
      return [`< ${line.text || (line.template ?? line.fileId ?? '')}`, ...line.options.map(({ title }) => title)].join(
        ' | ',
      )
    case 'act':
      return `act ${line.stepId}${line.failed ? ' failed' : ''}`
    case 'not-understood':
      return `again ${line.stepId} ${line.tries}`
    case 'left':
      return `left ${line.stepId} ${line.way}${line.value === null ? '' : ` ${line.value}`}`
    case 'end':
      return `end ${line.reason}`
    default:
      return line.kind
  }
}
const play = (of: FlowDocument, entries: TestEntry[], as: object = {}) => {
  const { lines, ...rest } = simulateFlow(of, scene(as), entries)
  return { ...rest, lines: lines.map(shorten) }
}

const menu = document([
  {
    id: 'what',
    kind: 'ask',
    text: '¿Qué necesitas, {{name}}?',
    retryText: 'Elige una.',
    answer: {
      kind: 'choice',
      options: [
        { id: 'book', title: 'Reservar', next: 'people' },
        { id: 'pay', title: 'Pagos' },
      ],
    },
    variable: 'topic',
    retries: 1,
    silence: { minutes: 60, next: 'end' },
    next: 'person',
    otherwise: 'person',
  },
  {
    id: 'people',
    kind: 'ask',
    text: '¿Cuántos?',
    answer: { kind: 'number', min: 1, max: 40 },
    variable: 'people',
    next: 'many',
    otherwise: 'person',
  },
  {
    id: 'many',
    kind: 'branch',
    conditions: { match: 'all', of: [{ field: 'variable', name: 'people', is: 'greater', value: '7' }] },
    next: 'tag',
    otherwise: 'end',
  },
  { id: 'tag', kind: 'tags', add: [1], next: 'end' },
  end,
  person,
])

describe('a conversation of the test phone', () => {
  it('asks, keeps and decides', () => {
    expect(play(menu, [says('1'), says('somos 9')])).toMatchObject({
      lines: [
        ...['< ¿Qué necesitas, Ana? | Reservar | Pagos', '> 1', 'left what option:book Reservar', '< ¿Cuántos?'],
        ...['> somos 9', 'left people next 9', 'left many next', 'act tag', 'end end'],
      ],
      trace: ['what', 'people', 'many', 'tag', 'end', '=end'],
      waitsFor: null,
      played: 2,
    })
  })

  it('takes an option by its button, its number or its title', () => {
    const entries = [presses('book', 'Reservar'), says('1'), says('reservar')]
    expect(entries.map((entry) => play(menu, [entry]).trace)).toEqual(entries.map(() => ['what', 'people']))
  })

  it('tells the options apart that lead to the same step', () => {
    const answer = {
      kind: 'choice',
      options: [
        { id: 'a', title: 'A' },
        { id: 'b', title: 'B' },
      ],
    }
    const of = document([{ id: 'ask', kind: 'ask', text: '¿?', answer, next: 'end', otherwise: 'person' }, end, person])
    expect(play(of, [says('2')]).lines).toContain('left ask option:b')
  })

  it('asks again as often as the question says, and then goes on otherwise', () => {
    expect(play(menu, [says('hola'), says('?')])).toMatchObject({
      lines: [
        ...['< ¿Qué necesitas, Ana? | Reservar | Pagos', '> hola', 'again what 1', '< Elige una. | Reservar | Pagos'],
        ...['> ?', 'left what otherwise', 'act person', 'end person'],
      ],
      trace: ['what', 'what', 'person', '=person'],
    })
  })

  it('passes the time of a question', () => {
    expect(play(menu, []).waitsFor).toEqual({ message: true, time: true })
    expect(play(menu, [time])).toMatchObject({ trace: ['what', 'end', '=end'] })
    expect(play(menu, [says('1')]).waitsFor).toEqual({ message: true, time: false })
    expect(play(menu, [says('1'), time]).trace).toEqual(['what', 'people'])
  })

  it('does not play what comes after the end', () => {
    expect(play(menu, [time, says('1'), says('1')]).played).toBe(1)
  })

  it.each<[string, object, TestEntry, string]>([
    ['text', { kind: 'text' }, says(' Ana María '), 'Ana María'],
    ['date', { kind: 'date', when: 'future' }, says('16/06/2026'), '2026-06-16'],
    ['email', { kind: 'email' }, says('soy Ana@Ejemplo.com'), 'ana@ejemplo.com'],
    ['taxId', { kind: 'taxId', of: ['cpf'] }, says('529.982.247-25'), '52998224725'],
    ['file', { kind: 'file', of: ['image'] }, says('', { file: 'image' }), 'file'],
    ['place', { kind: 'place' }, says('', { place: true }), '-34.6,-58.38'],
  ])('takes a %s', (_, answer, entry, value) => {
    const of = document([
      { id: 'ask', kind: 'ask', text: '¿?', answer, variable: 'v', next: 'end', otherwise: 'person' },
      end,
      person,
    ])
    expect(play(of, [entry]).position.variables).toEqual({ v: value })
    expect(play(of, [says('')]).trace).toEqual(['ask', 'ask'])
  })

  it('lets calls and bots succeed with the values of the scene, or fail', () => {
    const of = document([
      {
        id: 'call',
        kind: 'call',
        url: 'https://api.example/',
        keep: [{ path: 'order.state', variable: 'state' }],
        next: 'say',
        otherwise: 'bot',
      },
      { id: 'say', kind: 'say', text: 'Está {{state}}', next: 'bot' },
      { id: 'bot', kind: 'respond', by: { kind: 'prompt', promptId: 1 }, next: 'end', otherwise: 'person' },
      end,
      person,
    ])
    expect(play(of, [], { values: { state: 'en camino', other: 'x' } })).toMatchObject({
      lines: ['act call', '< Está en camino', 'act bot', 'end end'],
      position: { variables: { state: 'en camino' } },
    })
    expect(play(of, [], { callsFail: true }).lines).toEqual([
      ...['act call failed', 'act bot failed', 'act person', 'end person'],
    ])
  })

  it('lets a bot answer as many turns as it has', () => {
    const by = { kind: 'prompt', promptId: 1 }
    const of = document([{ id: 'bot', kind: 'respond', by, turns: 2, next: 'end', otherwise: 'person' }, end, person])
    expect(play(of, []).waitsFor).toEqual({ message: true, time: false })
    expect(play(of, [says('¿?')]).lines).toEqual(['act bot', '> ¿?', 'act bot', 'end end'])
  })

  it('begins with the values of a program or another flow', () => {
    const triggers = [{ kind: 'message' }, { kind: 'hook', keep: [{ path: 'order', variable: 'order' }] }]
    const of = document([{ id: 'say', kind: 'say', text: 'Pedido {{order}}', next: 'end' }, end], { triggers })
    expect(play(of, [], { values: { order: '77' } }).lines[0]).toBe('< Pedido 77')
    expect(play(of, []).lines[0]).toBe('< Pedido {{order}}')
  })

  it('begins with the words that the trigger wants', () => {
    const branch = { field: 'words', words: ['reservar'] }
    const of = document(
      [
        { id: 'if', kind: 'branch', conditions: { match: 'all', of: [branch] }, next: 'end', otherwise: 'person' },
        end,
        person,
      ],
      { triggers: [{ kind: 'message', words: { words: ['Reservar'] } }] },
    )
    expect(play(of, [])).toMatchObject({ lines: ['> Reservar', 'left if next', 'end end'] })
  })

  it('says that a real run would not begin, and plays it', () => {
    const conditions = { match: 'all', of: [{ field: 'hours' }] }
    expect(play(document([end], { conditions }), [], { isOpen: false }).lines).toEqual(['not-started', 'end end'])
  })

  it('waits for a time, for the opening and for an answer', () => {
    const of = document([
      { id: 'time', kind: 'wait', until: { kind: 'time', minutes: 60 }, next: 'opening' },
      { id: 'opening', kind: 'wait', until: { kind: 'opening' }, next: 'if' },
      {
        id: 'if',
        kind: 'branch',
        conditions: { match: 'all', of: [{ field: 'hours' }] },
        next: 'answer',
        otherwise: 'person',
      },
      {
        id: 'answer',
        kind: 'wait',
        until: { kind: 'answer', minutes: 60, variable: 'v' },
        next: 'end',
        otherwise: 'person',
      },
      end,
      person,
    ])
    expect(play(of, []).waitsFor).toEqual({ message: false, time: true })
    expect(play(of, [says('hola')]).trace).toEqual(['time'])
    const closed = play(of, [time, time, says(' sí ')], { isOpen: false })
    expect(closed.trace).toEqual(['time', 'opening', 'if', 'answer', 'end', '=end'])
    expect(closed.position.variables).toEqual({ v: 'sí' })
    expect(play(of, [time, time]).trace).toEqual(['time', 'opening', 'if', 'answer', 'person', '=person'])
  })

  it('sees later what it changed: tags, queue, user, field and the time that has passed', () => {
    const check = (id: string, condition: object, next: string) => ({
      ...{ id, kind: 'branch' as const, conditions: { match: 'all', of: [condition] }, next, otherwise: 'person' },
    })
    const of = document([
      { id: 'tag', kind: 'tags', add: [3], remove: [4], next: 'queue' },
      { id: 'queue', kind: 'queue', queueId: 5, next: 'assign' },
      { id: 'assign', kind: 'assign', userId: 6, next: 'field' },
      { id: 'field', kind: 'setField', field: 'Nivel', value: 'VIP {{name}}', next: 'wait' },
      { id: 'wait', kind: 'wait', until: { kind: 'time', minutes: 90 }, next: 'c1' },
      check('c1', { field: 'tag', in: [3] }, 'c2'),
      check('c2', { field: 'tag', in: [4], not: true }, 'c3'),
      check('c3', { field: 'queue', in: [5] }, 'c4'),
      check('c4', { field: 'user', in: [6] }, 'c5'),
      check('c5', { field: 'contact', key: 'custom', custom: 'Nivel', contains: 'vip ana' }, 'c6'),
      check('c6', { field: 'waiting', minutes: 60 }, 'end'),
      end,
      person,
    ])
    expect(play(of, [time], { tagIds: [4] }).trace.slice(-2)).toEqual(['end', '=end'])
  })

  it('takes another way through a split for another name', () => {
    const shares = [
      { share: 50, next: 'end' },
      { share: 50, next: 'person' },
    ]
    const of = document([{ id: 'split', kind: 'split', shares }, end, person])
    const ends = ['Ana', 'Aline', 'John', 'Sol', 'Lucía', 'Beto'].map((name) => play(of, [], { name }).trace.at(-1))
    expect(new Set(ends)).toEqual(new Set(['=end', '=person']))
  })

  it('ends a sequence with the first answer', () => {
    const of = document(
      [
        { id: 'say', kind: 'say', text: 'Hola', next: 'wait' },
        { id: 'wait', kind: 'wait', until: { kind: 'time', minutes: 1440 }, next: 'more' },
        { id: 'more', kind: 'say', text: '¿Sigues ahí?', next: 'end' },
        end,
      ],
      { kind: 'sequence' },
    )
    expect(play(of, [says('Hola')])).toMatchObject({
      lines: ['< Hola', '> Hola', 'end answered'],
      trace: ['say', 'wait', '=answered'],
    })
    expect(play(of, [time]).trace).toEqual(['say', 'wait', 'more', 'end', '=end'])
  })

  it('stops a circle without a pause, and reports a way that leads nowhere', () => {
    const circle = document([
      { id: 'a', kind: 'tags', add: [1], next: 'b' },
      { id: 'b', kind: 'tags', add: [2], next: 'a' },
    ])
    expect(play(circle, []).lines.at(-1)).toBe('end too-many-steps')
    const open = document([{ id: 'if', kind: 'branch', conditions: { match: 'all', of: [] }, otherwise: 'if' }])
    expect(play(open, []).lines).toEqual(['left if next', 'end dead-end'])
  })

  it.each(stepExamples.map((example, i) => [i, example] as const))('plays step example %i', (_, example) => {
    const ways = { next: 'end', otherwise: 'person' }
    const shown = document([{ ...ways, ...example, id: 'step' } as never, end, person])
    const { trace } = play(shown, [says('1'), time, says('1'), time])
    expect(trace[0]).toBe('step')
    expect(trace.length).toBeGreaterThan(1)
  })
})

describe('a recorded test', () => {
  const record = (of: FlowDocument, entries: TestEntry[]) => ({
    ...{ name: 'Reserva', scene: scene(), entries, trace: simulateFlow(of, scene(), entries).trace },
  })
  const test = record(menu, [says('hola'), says('1'), says('9')])

  it('is not broken by another wording', () => {
    const reworded = FlowDocument.parse({
      ...menu,
      steps: menu.steps.map((step) => ({
        ...step,
        title: 'Otro',
        ...('text' in step && { text: `${step.text} …` }),
        ...('retryText' in step && { retryText: '' }),
      })),
    })
    expect(failingTests(reworded, [test])).toEqual([])
  })

  it('fails if the flow takes another way', () => {
    const changed = FlowDocument.parse({
      ...menu,
      steps: menu.steps.map((step) => (step.id === 'people' ? { ...step, next: 'person' } : step)),
    })
    expect(failingTests(changed, [test, record(menu, [time])])).toEqual([test])
  })
})

const anyEntry: fc.Arbitrary<TestEntry> = fc.oneof(
  fc.constantFrom('1', '2', 'hola', '').map((text) => says(text)),
  fc.constant(time),
)
const anyScene = fc
  .record({ isOpen: fc.boolean(), callsFail: fc.boolean(), name: fc.constantFrom('Ana', 'Aline', 'John') })
  .map(scene)

describe('any flow', () => {
  it('is played to a trace that can be stored, and the same one again', () => {
    fc.assert(
      fc.property(anyDocument, anyScene, fc.array(anyEntry, { maxLength: 60 }), (of, as, entries) => {
        const { trace, position, lines, waitsFor } = simulateFlow(of, as, entries)
        FlowTestWrite.parse({ name: 'x', scene: as, entries, trace })
        expect(simulateFlow(of, as, entries).trace).toEqual(trace)
        expect(position.ended === null).toBe(waitsFor !== null)
        expect(lines.filter(({ kind }) => kind === 'end')).toHaveLength(position.ended ? 1 : 0)
        expect(trace.filter((line) => line.startsWith('='))).toEqual(position.ended ? [`=${position.ended}`] : [])
      }),
      { numRuns: 300 },
    )
  })

  it('takes bounded time: 200 steps and 60 entries with the largest texts and conditions', () => {
    const words = Array.from({ length: 30 }, (_, n) => `palabra${n}`)
    const conditions = { match: 'all', of: Array.from({ length: 4 }, () => ({ field: 'words', words, not: true })) }
    const steps = Array.from({ length: 198 }, (_, n) =>
      n % 99 === 98
        ? { id: `s${n}`, kind: 'ask' as const, text: 'x'.repeat(4000), answer: { kind: 'text' }, next: `s${n + 1}` }
        : n % 2
          ? { id: `s${n}`, kind: 'branch' as const, conditions, next: `s${n + 1}`, otherwise: `s${n + 1}` }
          : { id: `s${n}`, kind: 'say' as const, text: '{{name}} '.repeat(60), next: `s${n + 1}` },
    )
    const last = { id: 's198', kind: 'tags' as const, add: [1], next: 's0' }
    const of = document([...steps, last])
    const entries = Array.from({ length: 60 }, () => says('hola '.repeat(200)))
    const started = performance.now()
    const { trace, position } = simulateFlow(of, scene(), entries)
    expect(performance.now() - started).toBeLessThan(5000)
    expect(position.ended).toBe('too-many-steps')
    expect(trace.length).toBeLessThanOrEqual(500)
  })
})
