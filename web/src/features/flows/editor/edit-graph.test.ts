import { checkFlow } from '@recado/contract/flows/check-flow'
import { FlowDocument } from '@recado/contract/flows/flow-document'
import { describe, expect, test } from 'vitest'
import { pasteSteps, stepsToText } from './copied-steps.ts'
import {
  addStepAfter,
  arrangeSteps,
  connect,
  duplicateStep,
  findStep,
  insertStep,
  moveInLine,
  moveSteps,
  removeSteps,
  spotAfter,
  startSpot,
  waysFrom,
} from './edit-graph.ts'
import { layoutFlow, openEndId, startId } from './layout.ts'
import { numbersIn, outlineOf, visibleRows } from './outline.ts'
import { stepsFromText } from './read-copied-steps.ts'
import { emptyHistory, maxUndoSteps, recordChange, redoChange, type UndoHistory, undoChange } from './undo-history.ts'
import { walk } from './walk-keys.ts'

const say = (id: string, next: string | null = null) => ({ kind: 'say' as const, id, text: `text of ${id}`, next })
const person = (id = 'person') => ({ kind: 'person' as const, id })
const choice = (id: string, targets: Record<string, string | null>, otherwise: string | null = null) => ({
  ...{ kind: 'ask' as const, id, text: 'Which?', otherwise },
  answer: {
    kind: 'choice' as const,
    options: Object.entries(targets).map(([option, next]) => ({ id: option, title: `Option ${option}`, next })),
  },
})
const flow = (first: string | null, ...steps: unknown[]): FlowDocument =>
  FlowDocument.parse({ kind: 'flow', triggers: [{ kind: 'ticketOpened' }], first, steps })
/** `a.next>b` for every way, `.` for one that leads nowhere. */
const links = (document: FlowDocument): string[] => [
  `>${document.first ?? '.'}`,
  ...document.steps.flatMap(({ id }) => waysFrom(document, id).map(({ way, to }) => `${id}.${way}>${to ?? '.'}`)),
]
const isValid = (document: FlowDocument) => FlowDocument.safeParse(document).success
const newSay = (id = 'new') => flow(id, say(id)).steps[0] as FlowDocument['steps'][number]

/** hello > which: a > one > person, b > two > person, otherwise > person. */
const menu = () =>
  flow(
    'hello',
    say('hello', 'which'),
    choice('which', { a: 'one', b: 'two' }, 'person'),
    say('one', 'person'),
    say('two', 'person'),
    person(),
  )

describe('editing', () => {
  test('adds the first step at the beginning, and further ones at the first open way', () => {
    const first = addStepAfter(flow(null), newSay('a'), null)
    expect(links(first)).toEqual(['>a', 'a.next>.'])
    expect(links(addStepAfter(first, newSay('b'), 'a'))).toEqual(['>a', 'a.next>b', 'b.next>.'])
  })

  test('inserts a step where a way is taken, and lets it go on where the way went', () => {
    expect(links(insertStep(menu(), newSay(), { stepId: 'which', way: 'option:b' }))).toContain('which.option:b>new')
    expect(links(insertStep(menu(), newSay(), { stepId: 'which', way: 'option:b' }))).toContain('new.next>two')
    expect(links(insertStep(menu(), newSay(), startSpot)).slice(0, 1)).toEqual(['>new'])
  })

  test('adds a step before one that ends the conversation', () => {
    const added = addStepAfter(menu(), newSay(), 'person')
    expect(links(added)).toEqual(expect.arrayContaining(['one.next>new', 'two.next>new', 'which.otherwise>new']))
    expect(links(added)).toContain('new.next>person')
  })

  test('disconnects one option of a choice whose options share a target', () => {
    const shared = flow('which', { ...choice('which', { a: null, b: null }), next: 'person' }, person())
    expect(links(connect(shared, { stepId: 'which', way: 'option:a' }, null))).toEqual([
      ...['>which', 'which.option:a>.', 'which.option:b>person', 'which.otherwise>.'],
    ])
  })

  test('relinks around a removed step with one way, and leaves the ways to others open', () => {
    expect(links(removeSteps(menu(), ['one']))).toContain('which.option:a>person')
    expect(links(removeSteps(menu(), ['which']))).toContain('hello.next>.')
    expect(links(removeSteps(menu(), ['person']))).toEqual(expect.arrayContaining(['one.next>.', 'which.otherwise>.']))
    expect(removeSteps(menu(), ['one', 'two', 'hello', 'which', 'person']).steps).toEqual([])
    expect(links(removeSteps(flow('a', say('a', 'a')), ['a']))).toEqual(['>.'])
  })

  test('duplicates a step into its line, and a step that decides beside it', () => {
    const line = duplicateStep(menu(), 'one')
    expect(links(line?.document as FlowDocument)).toEqual(expect.arrayContaining(['one.next>say', 'say.next>person']))
    const decision = duplicateStep(menu(), 'which')
    expect(links(decision?.document as FlowDocument)).toContain('hello.next>which')
    expect(isValid(decision?.document as FlowDocument)).toBe(true)
  })

  test('exchanges neighbours of a line', () => {
    const line = flow('a', say('a', 'b'), say('b', 'c'), say('c', 'person'), person())
    const down = moveInLine(line, 'a', 1) as FlowDocument
    expect(links(down)).toEqual(['>b', 'a.next>c', 'b.next>a', 'c.next>person'])
    expect(moveInLine(down, 'a', -1)).toEqual(line)
    expect(moveInLine(line, 'a', -1)).toBeNull()
    expect(moveInLine(line, 'c', 1)).toBeNull()
  })

  test('says where the next step would be added', () => {
    expect(spotAfter(menu(), 'hello')).toEqual({ stepId: 'hello', way: 'next' })
    expect(spotAfter(menu(), 'which')).toEqual({ stepId: 'which', way: 'option:a' })
    expect(spotAfter(menu(), 'person')).toBeNull()
  })
})

describe('copied steps', () => {
  test('are pasted into another flow with new ids and their own links', () => {
    const text = stepsToText(menu(), ['which', 'one', 'two'])
    const steps = stepsFromText(text)
    const pasted = pasteSteps(menu(), steps ?? [], 'person')
    expect(isValid(pasted?.document as FlowDocument)).toBe(true)
    expect(pasted?.ids).toEqual(['ask', 'say', 'say-2'])
    expect(links(pasted?.document as FlowDocument)).toEqual([
      ...links(menu()),
      ...['ask.option:a>say', 'ask.option:b>say-2', 'ask.otherwise>.', 'say.next>.', 'say-2.next>.'],
    ])
    const after = pasteSteps(flow('a', say('a')), steps ?? [], 'a')
    expect(links(after?.document as FlowDocument)).toContain('a.next>ask')
  })

  test('are refused when the clipboard holds something else or the flow has no room', () => {
    expect(stepsFromText('hola')).toBeNull()
    expect(stepsFromText('{"format":"recado-flow-steps","steps":[{"kind":"say","id":"a","next":"b"}]}')).toBeNull()
    expect(stepsFromText('{"format":"recado-flow-steps","steps":"x"}')).toBeNull()
    const many = flow(null, ...Array.from({ length: 200 }, (_, i) => say(`s${i}`)))
    expect(pasteSteps(many, [newSay()], null)).toBeNull()
  })
})

describe('undo', () => {
  test('goes back and forth, joins typing, and forgets what is too old', () => {
    let history: UndoHistory<number> = emptyHistory
    history = recordChange(history, 1, null, 0)
    history = recordChange(history, 2, 'title', 1000)
    history = recordChange(history, 3, 'title', 1500)
    const back = undoChange(history, 4)
    expect(back?.present).toBe(2)
    const twice = back && undoChange(back.history, back.present)
    expect(twice?.present).toBe(1)
    expect(twice && undoChange(twice.history, twice.present)).toBeNull()
    const forth = twice && redoChange(twice.history, twice.present)
    expect(forth?.present).toBe(2)
    expect(forth && redoChange(forth.history, forth.present)?.present).toBe(4)
    for (let n = 0; n < 2 * maxUndoSteps; n++) history = recordChange(history, n, null, n)
    expect(history.past).toHaveLength(maxUndoSteps)
  })
})

describe('outline', () => {
  const said = (document: FlowDocument) =>
    outlineOf(document).map((row) =>
      row.kind === 'step'
        ? `${row.number} ${row.step.id}`
        : row.kind === 'way'
          ? `  ${row.way} ${row.isOpened ? '' : (row.to ?? '.')}`.trimEnd()
          : row.kind,
    )

  test('numbers each step once, where it first appears', () => {
    expect(said(menu())).toEqual([
      ...['1 hello', '2 which', '  option:a', '2.1 one', '2.2 person', '  option:b', '2.3 two', '  otherwise person'],
    ])
  })

  test('keeps what the normal way leads to in the main line, and lists unreachable steps last', () => {
    const ask = { kind: 'ask', id: 'ask', text: '?', answer: { kind: 'text' }, next: 'bye', otherwise: 'bye' }
    expect(said(flow('ask', say('lost'), ask, say('bye', 'person'), person()))).toEqual([
      ...['1 ask', '  otherwise bye', '2 bye', '3 person', 'unreachable', '4 lost'],
    ])
  })

  test('ends at a step that leads back', () => {
    expect(said(flow('a', say('a', 'b'), say('b', 'a')))).toEqual(['1 a', '2 b'])
  })

  test('hides what is inside a collapsed row', () => {
    const rows = outlineOf(menu())
    expect(visibleRows(rows, new Set(['which'])).map(({ key }) => key)).toEqual(['hello', 'which'])
    expect(numbersIn(rows).get('person')).toBe('2.2')
  })
})

describe('arrow keys', () => {
  test('walk along the edges', () => {
    const document = menu()
    expect(walk(document, null, 'ArrowDown')).toBe('hello')
    expect(walk(document, 'which', 'ArrowDown')).toBe('one')
    expect(walk(document, 'one', 'ArrowRight')).toBe('two')
    expect(walk(document, 'two', 'ArrowLeft')).toBe('one')
    expect(walk(document, 'person', 'ArrowUp', 'two')).toBe('two')
    expect(walk(document, 'hello', 'ArrowUp')).toBeNull()
    expect(walk(document, 'person', 'ArrowDown')).toBeUndefined()
  })

  test('reach steps without an entry sideways from the start', () => {
    const document = flow('a', say('a'), say('lost'))
    expect(walk(document, null, 'ArrowRight')).toBe('lost')
    expect(walk(document, 'lost', 'ArrowLeft')).toBeNull()
  })
})

describe('layout', () => {
  test('puts steps below those that lead to them, on the grid, and the same every time', () => {
    const { places, routes } = layoutFlow(menu())
    expect([...layoutFlow(menu()).places]).toEqual([...places])
    const y = (id: string) => places.get(id)?.y ?? Number.NaN
    expect([startId, 'hello', 'which', 'one', 'person'].map(y)).toEqual(
      [startId, 'hello', 'which', 'one', 'person'].map(y).toSorted((a, b) => a - b),
    )
    for (const [, { x, y: top }] of places) expect([x % 20, top % 20].map(Math.abs)).toEqual([0, 0])
    // The names of two ways to the same step do not stand on each other.
    const labels = ['which option:a', 'which option:b', 'which otherwise'].map((id) => routes.get(id)?.label.x)
    expect(new Set(labels).size).toBe(3)
    // Steps beside each other do not overlap.
    expect(Math.abs((places.get('one')?.x ?? 0) - (places.get('two')?.x ?? 0))).toBeGreaterThan(244)
  })

  test('leaves a step where it was moved to, with its open end, until it is arranged again', () => {
    const document = flow('a', say('a', 'b'), say('b'))
    const moved = moveSteps(document, new Map([['b', { x: 600, y: 40 }]]))
    const before = layoutFlow(document).places
    const after = layoutFlow(moved).places
    expect(after.get('b')).toEqual({ x: 600, y: 40 })
    expect(after.get('a')).toEqual(before.get('a'))
    const end = openEndId('b', 'next')
    expect((after.get(end)?.x ?? 0) - 600).toBe((before.get(end)?.x ?? 0) - (before.get('b')?.x ?? 0))
    expect(arrangeSteps(moved)).toEqual(document)
    expect(findStep(moved, 'b')?.at).toEqual({ x: 600, y: 40 })
  })

  test('lays out circles, steps without an entry and the largest flow', () => {
    expect(layoutFlow(flow('a', say('a', 'b'), say('b', 'a'), say('self', 'self'))).places.size).toBe(4)
    const steps = Array.from({ length: 200 }, (_, i) => say(`s${i}`, i < 199 ? `s${i + 1}` : null))
    expect(layoutFlow(flow('s0', ...steps)).places.size).toBe(202)
  })
})

test('every edit leaves a document that can be stored and checked', () => {
  let document = menu()
  for (const id of ['one', 'which', 'hello', 'person']) {
    document = duplicateStep(document, id)?.document ?? document
    document = moveInLine(document, id, 1) ?? document
    document = removeSteps(document, [id])
    expect(isValid(document)).toBe(true)
    expect(checkFlow(document).length).toBeGreaterThan(0)
  }
})
