import { checkFlow } from '@recado/contract/flows/check-flow'
import { FlowDocument, maxFlowSteps } from '@recado/contract/flows/flow-document'
import { TestScene } from '@recado/contract/flows/flow-tests'
import { menuToFlow } from '@recado/contract/flows/menu-to-flow'
import { simulateFlow } from '@recado/contract/flows/simulate-flow'
import {
  firstMenuTurn,
  type MenuOption,
  type MenuQueue,
  type MenuTurn,
  menuOptionsAt,
  nextMenuTurn,
} from '@recado/contract/menu/menu'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const words = { choose: 'Choose', back: 'Back', main: 'Main menu', wrong: 'Not understood', toPerson: 'A person comes' }
const flowWords = { ...words, more: 'More options' }
const limits = { repeats: 0, resting: false }

/** A tree of options with titles of their own, given as the parent of each option; -1: the top. */
const queues = fc
  .array(
    fc.record({
      parent: fc.integer({ min: -1, max: 30 }),
      leads: fc.constantFrom('person' as const, 'queue' as const, 'end' as const),
      message: fc.constantFrom('', 'Thank you'),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((options): MenuQueue => {
    const made: MenuOption[] = []
    for (const [i, { parent, leads, message }] of options.entries()) {
      const parentId = parent < 0 || i === 0 ? null : (parent % i) + 1
      const siblings = made.filter((one) => one.parentId === parentId).length
      made.push({
        ...{ id: i + 1, parentId, option: siblings + 1, title: `Option ${'abcdefghijklmnopqrstuvwxyz'[i % 26]}${i}` },
        ...{ message: message && `${message} ${i}`, leads, forwardQueueId: leads === 'queue' ? 9 : null },
      })
    }
    return { id: 5, name: 'Sales', greetingMessage: 'Welcome', options: made }
  })

/** Where a customer ends who takes these options by their titles: a queue with a person, the end, or still inside. */
function endOfMenu(queue: MenuQueue, titles: string[]): string {
  const menu = { greeting: '', queues: [queue] }
  let turn: MenuTurn | null = firstMenuTurn(menu, words)
  for (const title of titles) if (turn?.held) turn = nextMenuTurn(menu, words, limits, turn.place, title)
  if (!turn || turn.held) return 'inside'
  return turn.ends ? 'resolved' : `person ${turn.queueId}`
}

function endOfFlow(document: FlowDocument, titles: string[]): string {
  const entries: { kind: 'message'; text: string; optionId: null; file: null; place: false }[] = []
  const write = (text: string) => entries.push({ kind: 'message', text, optionId: null, file: null, place: false })
  const play = () => simulateFlow(document, TestScene.parse({}), entries)
  for (const title of titles) {
    // Options that are not among the first ones are behind "More options".
    for (let now = play(); !now.position.ended && !offers(now, title) && offers(now, flowWords.more); now = play())
      write(flowWords.more)
    write(title)
  }
  const { position } = play()
  if (position.ended !== 'person') return position.ended ?? 'inside'
  const step = document.steps.find(({ id }) => id === position.stepId)
  return `person ${step?.kind === 'person' ? step.queueId : null}`
}
const offers = ({ lines }: ReturnType<typeof simulateFlow>, title: string): boolean => {
  const said = lines.findLast((line) => line.kind === 'said')
  return said?.options.some((option) => option.title === title) ?? false
}

/** Options from the top, as a customer could choose them, with some steps back. */
function somePath(queue: MenuQueue, choices: number[]): string[] {
  let at: MenuOption | null = null
  const titles: string[] = []
  for (const choice of choices) {
    const options: MenuOption[] = menuOptionsAt(queue, at?.id ?? null)
    if (!options.length) break
    if (choice % 7 === 6 && at) {
      titles.push(words.back)
      at = queue.options.find(({ id }) => id === at?.parentId) ?? null
      continue
    }
    at = options[choice % options.length] as MenuOption
    titles.push(at.title)
  }
  return titles
}

describe('a flow made of a menu', () => {
  it('leads customers where the menu leads them', () => {
    fc.assert(
      fc.property(queues, fc.array(fc.nat(40), { maxLength: 8 }), (queue, choices) => {
        const { document, left } = menuToFlow(queue, flowWords)
        expect(left).toEqual([])
        const titles = somePath(queue, choices)
        expect(endOfFlow(document, titles)).toBe(endOfMenu(queue, titles))
      }),
      { numRuns: 300 },
    )
  })

  it('can be published as it is', () => {
    fc.assert(
      fc.property(queues, (queue) => {
        const document = FlowDocument.parse(menuToFlow(queue, flowWords).document)
        expect(checkFlow(document).filter(({ level }) => level === 'error')).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  it('names the options for which there is no room', () => {
    const option = (id: number): MenuOption => ({
      ...{ id, parentId: id === 1 ? null : id - 1, option: 1, title: `Option ${id}`, message: `Text ${id}` },
      ...{ leads: 'person', forwardQueueId: null },
    })
    const options = Array.from({ length: 400 }, (_, i) => option(i + 1))
    const { document, left } = menuToFlow({ id: 1, name: 'Deep', greetingMessage: '', options }, flowWords)
    expect(left).toHaveLength(1)
    expect(document.steps.length).toBeLessThanOrEqual(maxFlowSteps)
    expect(FlowDocument.safeParse(document).success).toBe(true)
  })

  it('has nothing to ask without options', () => {
    const { document } = menuToFlow({ id: 1, name: 'Empty', greetingMessage: 'Hi', options: [] }, flowWords)
    expect(document.first).toBeNull()
  })
})
