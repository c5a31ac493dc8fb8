import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildRequest, keepParts } from '../src/flows/flow-call.ts'
import { FlowDocument } from '../src/flows/flow-document.ts'
import type { CallStep, FlowStep, SplitStep } from '../src/flows/flow-steps.ts'
import { FlowTrigger } from '../src/flows/flow-triggers.ts'
import {
  chooseShare,
  type FlowMove,
  type FlowOutcome,
  type FlowPosition,
  type FlowRun,
  nextMove,
  positionAfter,
  startPosition,
} from '../src/flows/walk.ts'
import { flow, flowFacts, step, textValues } from './flow-fixtures.ts'
import { anyDocument, branchVariables } from './flow-generator.ts'

const run = (more: Partial<FlowRun> = {}): FlowRun => ({
  runId: 'r1',
  facts: flowFacts(),
  texts: textValues,
  answers: { language: 'es', today: '2026-11-19' },
  isTakenOver: false,
  ...more,
})
const document = (steps: Parameters<typeof flow>[0], more: object = {}) => FlowDocument.parse(flow(steps, more))
const says = (text: string): FlowOutcome => ({ kind: 'message', message: { text } })
const done: FlowOutcome = { kind: 'done' }
const due: FlowOutcome = { kind: 'due' }
const failed: FlowOutcome = { kind: 'failed' }

const label = (move: FlowMove): string => {
  if (move.kind === 'end') return `end ${move.reason}`
  return move.kind === 'ask' ? `ask ${move.step.id} ${move.text}` : `${move.kind} ${move.step.id}`
}

const start = (of: FlowDocument, variables: Record<string, string> = {}): FlowPosition => ({
  ...startPosition(of, FlowTrigger.parse({ kind: 'message' })),
  variables,
})

/** Plays outcomes from the start and lists every move. */
function play(of: FlowDocument, outcomes: FlowOutcome[], as: FlowRun = run(), variables = {}) {
  let move = nextMove(of, start(of, variables), as)
  const moves = [label(move)]
  for (const outcome of outcomes) {
    move = nextMove(of, positionAfter(of, move.position, outcome, as), as)
    moves.push(label(move))
  }
  return { moves, position: move.position }
}

const reception = document([
  { id: 'hi', kind: 'say', text: 'Hola', next: 'what' },
  {
    id: 'what',
    kind: 'ask',
    text: '¿Qué necesitas?',
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
    silence: { minutes: 60, next: 'bye' },
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
    otherwise: 'places',
  },
  { id: 'tag', kind: 'tags', add: [1], next: 'places' },
  {
    id: 'places',
    kind: 'call',
    url: 'https://api.example/free?for={{people}}',
    keep: [{ path: 'free', variable: 'free' }],
    next: 'tell',
    otherwise: 'person',
  },
  { id: 'tell', kind: 'say', text: 'Quedan {{free}}', next: 'bye' },
  { id: 'bye', kind: 'end' },
  { id: 'person', kind: 'person' },
])

describe('a run through a flow', () => {
  it('speaks, asks, decides, calls and ends', () => {
    const { moves, position } = play(reception, [
      done,
      says('1'),
      says('somos 9'),
      done,
      { kind: 'done', values: { free: '3' } },
      done,
    ])
    expect(moves).toEqual([
      ...['act hi', 'ask what ¿Qué necesitas?', 'ask people ¿Cuántos?', 'act tag', 'act places', 'act tell', 'end end'],
    ])
    expect(position.variables).toEqual({ topic: 'Reservar', people: '9', free: '3' })
  })

  it('asks again in other words, and then takes the way out', () => {
    expect(play(reception, [done, says('no sé'), says('tampoco'), done]).moves.slice(1)).toEqual([
      ...['ask what ¿Qué necesitas?', 'ask what Elige una.', 'act person', 'end person'],
    ])
  })

  it('repeats a question that has no other words, and counts the tries of each question from the beginning', () => {
    expect(play(reception, [done, says('x'), says('1'), says('x'), says('y'), says('z'), done]).moves.slice(3)).toEqual(
      [...['ask people ¿Cuántos?', 'ask people ¿Cuántos?', 'ask people ¿Cuántos?', 'act person', 'end person']],
    )
  })

  it('goes on after silence where the question says so, and else waits as long as the customer likes', () => {
    expect(play(reception, [done, due]).moves.at(-1)).toBe('end end')
    expect(play(reception, [done, says('1'), due, due, says('4')]).moves.slice(2)).toEqual([
      ...['ask people ¿Cuántos?', 'wait people', 'wait people', 'act places'],
    ])
  })

  it('takes the way out of a failed call, and goes on after another step that failed', () => {
    expect(play(reception, [done, says('1'), says('4'), failed, failed]).moves.slice(3)).toEqual([
      ...['act places', 'act person', 'end person'],
    ])
    expect(play(reception, [failed]).moves).toEqual(['act hi', 'ask what ¿Qué necesitas?'])
  })

  it('stays at its place when nothing happened that concerns it', () => {
    expect(play(reception, [says('hola'), due, done, done, failed]).moves).toEqual([
      ...['act hi', 'act hi', 'act hi', 'ask what ¿Qué necesitas?', 'wait what', 'wait what'],
    ])
  })

  it('is the same when a position is read back from the database and used again', () => {
    const { position } = play(reception, [done, says('1')])
    const stored: FlowPosition = JSON.parse(JSON.stringify(position))
    const once = positionAfter(reception, stored, says('9'), run())
    expect(positionAfter(reception, stored, says('9'), run())).toEqual(once)
    expect(nextMove(reception, once, run())).toEqual(nextMove(reception, once, run()))
    expect(stored).toEqual(position)
  })

  it('stops when a person takes over, or at the first step that would write', () => {
    const line = (goesOnWithPerson: boolean) =>
      document(
        [
          { id: 'w', kind: 'wait', until: { kind: 'time', minutes: 60 }, next: 'n' },
          { id: 'n', kind: 'note', text: 'Avisar', next: 's' },
          { id: 's', kind: 'say', text: 'Hola', next: 'e' },
          { id: 'e', kind: 'end' },
        ],
        { limits: { goesOnWithPerson } },
      )
    const takenOver = run({ isTakenOver: true })
    expect(play(line(false), [due], takenOver).moves).toEqual(['end taken-over', 'end taken-over'])
    expect(play(line(true), [due, done], takenOver).moves).toEqual(['wait w', 'act n', 'end taken-over'])
  })

  it('ends a sequence with any answer, also between two steps', () => {
    const sequence = document(
      [
        { id: 'a', kind: 'say', text: 'Hola', next: 'w' },
        { id: 'w', kind: 'wait', until: { kind: 'time', minutes: 60 }, next: 'b' },
        { id: 'b', kind: 'say', text: '¿Y?', next: 'e' },
        { id: 'e', kind: 'end' },
      ],
      { kind: 'sequence' },
    )
    expect(play(sequence, [done, due, done]).moves).toEqual(['act a', 'wait w', 'act b', 'end end'])
    expect(play(sequence, [done, says('gracias'), due]).moves).toEqual([
      'act a',
      'wait w',
      'end answered',
      'end answered',
    ])
    expect(play(sequence, [says('gracias')]).moves).toEqual(['act a', 'end answered'])
  })

  it('does not wait for an opening while it is open', () => {
    const hours = document([
      { id: 'w', kind: 'wait', until: { kind: 'opening' }, next: 'e' },
      { id: 'e', kind: 'end' },
    ])
    expect(play(hours, []).moves).toEqual(['end end'])
    expect(play(hours, [due], run({ facts: flowFacts({ isOpen: false }) })).moves).toEqual(['wait w', 'end end'])
  })

  it('keeps an answer, or goes on without one', () => {
    const waits = document([
      { id: 'w', kind: 'wait', until: { kind: 'answer', minutes: 60, variable: 'why' }, next: 'e', otherwise: 'p' },
      { id: 'e', kind: 'end' },
      { id: 'p', kind: 'person' },
    ])
    expect(play(waits, [says(' Muy caro ')])).toMatchObject({ moves: ['wait w', 'end end'] })
    expect(play(waits, [says(' Muy caro ')]).position.variables).toEqual({ why: 'Muy caro' })
    expect(play(waits, [due]).moves).toEqual(['wait w', 'act p'])
  })

  it('lets a bot answer several turns, until it hands over or the customer is silent', () => {
    const bot = document([
      {
        id: 'r',
        kind: 'respond',
        by: { kind: 'prompt', promptId: 1 },
        turns: 3,
        silence: { minutes: 60, next: 'e' },
        next: 'e',
        otherwise: 'p',
      },
      { id: 'e', kind: 'end' },
      { id: 'p', kind: 'person' },
    ])
    expect(play(bot, [done, says('¿y?'), done, says('¿y?'), done]).moves).toEqual([
      ...['act r', 'wait r', 'act r', 'wait r', 'act r', 'end end'],
    ])
    expect(play(bot, [done, says('¿y?'), failed]).moves.at(-1)).toBe('act p')
    expect(play(bot, [{ kind: 'finished' }]).moves.at(-1)).toBe('end end')
    expect(play(bot, [done, due]).moves.at(-1)).toBe('end end')
  })

  it('begins with the variables of its trigger, and with no others', () => {
    const trigger = FlowTrigger.parse({ kind: 'flow', variables: ['people', 'day'] })
    const values = { people: '4', other: 'x' }
    expect(startPosition(reception, trigger, values).variables).toEqual({ people: '4', day: '' })
  })

  it('has a value for everything that a call keeps, also if the reply has less', () => {
    const { variables } = play(reception, [
      done,
      says('1'),
      says('4'),
      { kind: 'done', values: { other: 'x' } },
    ]).position
    expect(variables).toEqual({ topic: 'Reservar', people: '4', free: '' })
  })

  it('fills in a variable from others, once', () => {
    const sets = document([
      { id: 'a', kind: 'setVariable', variable: 'hello', value: '{{firstName}}: {{raw}}', next: 'e' },
      { id: 'e', kind: 'end' },
    ])
    expect(play(sets, [], run(), { raw: '{{number}}' }).position.variables.hello).toBe('Lucía: {{number}}')
  })

  it('ends where nothing follows, and in a circle after a hundred steps', () => {
    expect(play(document([{ id: 'a', kind: 'say', text: 'Hola' }]), [done]).moves.at(-1)).toBe('end dead-end')
    expect(play(FlowDocument.parse({ ...flow([]), first: null }), []).moves).toEqual(['end dead-end'])
    const circle = document([
      { id: 'a', kind: 'say', text: 'Hola', next: 'b' },
      { id: 'b', kind: 'branch', conditions: { match: 'all', of: [] }, next: 'a', otherwise: 'a' },
    ])
    const { moves } = play(circle, Array(60).fill(done))
    expect(moves.filter((move) => move === 'act a')).toHaveLength(50)
    expect(moves.at(-1)).toBe('end too-many-steps')
  })
})

it('goes on for as long as the customer does, because each pause begins a new count', () => {
  const bot = { kind: 'respond' as const, by: { kind: 'prompt', promptId: 1 }, turns: 2, otherwise: 'p' }
  const talk = document([
    { id: 'a', kind: 'say', text: 'Hola', next: 'r' },
    { ...bot, id: 'r', next: 'a' },
    { id: 'p', kind: 'person' },
  ])
  const turn = [done, done, says('¿y?'), done]
  expect(play(talk, Array(120).fill(turn).flat()).moves.at(-1)).toBe('act a')
})

describe('a split', () => {
  it('sends each run the same way again, and runs in proportion to the shares', () => {
    const split = step('ab', { kind: 'split', shares: [{ share: 1 }, { share: 1 }, { share: 2 }] }) as SplitStep
    const counts = [0, 0, 0]
    for (let n = 0; n < 10_000; n++) {
      const way = chooseShare(split, `run-${n}`)
      expect(chooseShare(split, `run-${n}`)).toBe(way)
      counts[way] = (counts[way] ?? 0) + 1
    }
    // Within four standard deviations.
    for (const [i, wanted] of [2500, 2500, 5000].entries())
      expect(Math.abs((counts[i] as number) - wanted)).toBeLessThan(200)
  })

  it('does not decide another split of the same run', () => {
    const both = (id: string) => step(id, { kind: 'split', shares: [{ share: 1 }, { share: 1 }] }) as SplitStep
    let same = 0
    for (let n = 0; n < 10_000; n++) if (chooseShare(both('a'), `${n}`) === chooseShare(both('b'), `${n}`)) same++
    expect(Math.abs(same - 5000)).toBeLessThan(200)
  })
})

describe('a call', () => {
  const call = step('c', {
    kind: 'call',
    method: 'POST',
    url: 'https://api.example/orders/{{id}}?q={{q}}',
    headers: [{ name: 'X-Note', value: 'n: {{note}}' }],
    body: '{"text":"{{note}}"}',
  }) as CallStep
  it('encodes each value for its place', () => {
    const values = { id: '../7?x', q: 'a&b=ñ\ud800', note: 'dijo "sí"\r\nX-Evil: 1' }
    const request = buildRequest(call, values, textValues)
    expect(new URL(request.url).pathname).toBe('/orders/..%2F7%3Fx')
    expect([...new URL(request.url).searchParams]).toEqual([['q', 'a&b=ñ\ufffd']])
    expect(request.headers).toEqual([{ name: 'X-Note', value: 'n: dijo "s?"??X-Evil: 1' }])
    expect(JSON.parse(request.body ?? '')).toEqual({ text: values.note })
  })

  it('never leaves its server and path, and stays valid JSON, whatever a customer answered', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('..', '.', '/', '//', '\\..', '%2e%2e')),
        (value) => {
          const request = buildRequest(call, { id: value, q: value, note: value }, textValues)
          const url = new URL(request.url)
          expect(url.host).toBe('api.example')
          expect(url.pathname).toMatch(/^\/orders\/[^/]*$/)
          expect(JSON.parse(request.body ?? '')).toEqual({ text: value })
        },
      ),
    )
  })

  it('keeps parts of a reply as text, and only what the reply itself has', () => {
    const reply = { order: { state: 'sent', items: [{ price: 9.5 }], ok: true } }
    const parts = ['order.state', 'order.items.0.price', 'order.ok', 'order.items', 'order.none', 'constructor.name']
    expect(
      keepParts(
        parts.map((path, i) => ({ path, variable: `v${i}` })),
        reply,
      ),
    ).toEqual({
      ...{ v0: 'sent', v1: '9.5', v2: 'true', v3: '', v4: '', v5: '' },
    })
    expect(keepParts([{ path: 'a', variable: 'a' }], null)).toEqual({ a: '' })
    expect(keepParts([{ path: 'a', variable: 'a' }], { a: 'x'.repeat(9000) }).a).toHaveLength(2000)
  })
})

/** What a test changes during a run. */
type Surroundings = { isOpen: boolean; isTakenOver: boolean }

/** The same rules as one function from beginning to end, without positions: it yields each move and gets what happened. */
function* modelRun(
  of: FlowDocument,
  variables: Record<string, string>,
  now: Surroundings,
): Generator<string, string, FlowOutcome> {
  let [at, count] = [of.first, 0]
  const own = { ...variables }
  const isSilenced = (here: FlowStep) =>
    now.isTakenOver && (!of.limits.goesOnWithPerson || ['say', 'ask', 'respond', 'person'].includes(here.kind))
  while (at !== null) {
    const here = of.steps.find(({ id }) => id === at) as FlowStep
    if (isSilenced(here)) return 'end taken-over'
    if (count++ === 100) return 'end too-many-steps'
    let saying = ''
    let turns = 0
    // Yields the first move, and then the second one until something happens that concerns the step.
    const outcomeOf = function* (
      line: string,
      again: string,
      ...kinds: FlowOutcome['kind'][]
    ): Generator<string, FlowOutcome | string, FlowOutcome> {
      let move = line
      for (;;) {
        const outcome = yield move
        if (of.kind === 'sequence' && outcome.kind === 'message') return 'end answered'
        if (kinds.includes(outcome.kind)) return outcome
        if (isSilenced(here)) return 'end taken-over'
        move = again
      }
    }
    const act = () => outcomeOf(`act ${here.id}`, `act ${here.id}`, 'done', 'finished', 'failed')
    const wait = (line = `wait ${here.id}`, ...kinds: FlowOutcome['kind'][]) =>
      outcomeOf(line, `wait ${here.id}`, ...kinds)
    switch (here.kind) {
      case 'end':
        return 'end end'
      case 'branch':
        at = own[`b_${here.id}`] ? here.next : here.otherwise
        continue
      case 'switch':
        at = own[`b_${here.id}`] === 'yes' ? (here.cases[0]?.next ?? null) : here.otherwise
        continue
      case 'split':
        at = here.shares[chooseShare(here, 'r1')]?.next ?? null
        continue
      case 'setVariable':
        at = here.next
        continue
      case 'say':
      case 'tags':
      case 'call':
      case 'resolve':
      case 'person': {
        const outcome = yield* act()
        if (typeof outcome === 'string') return outcome
        if (here.kind === 'resolve') return 'end resolved'
        if (here.kind === 'person') return 'end person'
        at = here.kind === 'call' && outcome.kind === 'failed' ? here.otherwise : here.next
        continue
      }
      case 'wait': {
        if (here.until.kind === 'opening' && now.isOpen) {
          at = here.next
          continue
        }
        const outcome = yield* wait(undefined, 'due', ...(here.until.kind === 'answer' ? (['message'] as const) : []))
        if (typeof outcome === 'string') return outcome
        at = here.until.kind === 'answer' && outcome.kind === 'due' ? here.otherwise : here.next
        count = 0
        continue
      }
      case 'ask':
        saying = here.text
        for (;;) {
          const outcome = yield* wait(
            `ask ${here.id} ${saying}`,
            'message',
            ...(here.silence ? (['due'] as const) : []),
          )
          if (typeof outcome === 'string') return outcome
          count = 0
          if (outcome.kind === 'due') {
            at = here.silence?.next ?? null
            break
          }
          const text = outcome.kind === 'message' ? outcome.message.text : ''
          const option = here.answer.kind === 'choice' ? here.answer.options['12'.indexOf(text)] : undefined
          if (text && (here.answer.kind === 'text' || option)) {
            at = option?.next ?? here.next
            break
          }
          if (turns++ === here.retries) {
            at = here.otherwise
            break
          }
          if (isSilenced(here)) return 'end taken-over'
          saying = here.retryText || here.text
          count = 1
        }
        continue
      case 'respond':
        for (;;) {
          const answer = yield* act()
          if (typeof answer === 'string') return answer
          if (answer.kind === 'done' && ++turns < here.turns) {
            if (isSilenced(here)) return 'end taken-over'
            const outcome = yield* wait(undefined, 'message', 'due')
            if (typeof outcome === 'string') return outcome
            count = outcome.kind === 'due' ? 0 : 1
            if (outcome.kind === 'due') {
              at = here.silence?.next ?? null
              break
            }
            if (isSilenced(here)) return 'end taken-over'
            continue
          }
          at = answer.kind === 'failed' ? here.otherwise : here.next
          break
        }
        continue
      default:
        throw new Error(here.kind)
    }
  }
  return 'end dead-end'
}

const outcomes = fc.oneof(
  fc.constantFrom<FlowOutcome>(
    done,
    done,
    { kind: 'done', values: { v: 'x' } },
    failed,
    { kind: 'finished' },
    due,
    due,
  ),
  fc.constantFrom('1', '2', 'x', '').map(says),
)

it('makes the same moves as the model, for any graph and anything that happens', () => {
  const endings = new Map<string, number>()
  fc.assert(
    fc.property(
      anyDocument,
      fc.array(fc.record({ outcome: outcomes, isOpen: fc.boolean() }), { minLength: 130, maxLength: 130 }),
      fc.nat(400),
      fc.nat(127),
      (of, events, takenOverAt, combination) => {
        const all = branchVariables(of)
        const variables = all[combination % all.length] as Record<string, string>
        const now: Surroundings = { isOpen: true, isTakenOver: false }
        const model = modelRun(of, variables, now)
        const walker = () => run({ facts: flowFacts({ isOpen: now.isOpen }), isTakenOver: now.isTakenOver })
        let expected = model.next()
        let move = nextMove(of, start(of, variables), walker())
        for (const [i, { outcome, isOpen }] of events.entries()) {
          expect(label(move)).toBe(expected.value)
          if (expected.done) break
          const position = positionAfter(of, move.position, outcome, run())
          Object.assign(now, { isOpen, isTakenOver: i >= takenOverAt })
          expected = model.next(outcome)
          move = nextMove(of, position, walker())
        }
        const end = move.kind === 'end' ? move.reason : 'none'
        endings.set(end, (endings.get(end) ?? 0) + 1)
      },
    ),
    { numRuns: 3000 },
  )
  // The generator must lead to every ending.
  for (const reason of ['end', 'person', 'resolved', 'answered', 'taken-over', 'dead-end', 'too-many-steps'])
    expect(endings.get(reason) ?? 0, reason).toBeGreaterThan(10)
})
