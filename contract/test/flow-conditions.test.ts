import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { containsWords, FlowConditions, meetsFlowConditions } from '../src/flows/flow-conditions.ts'
import { renderFlowText, variableName, withVariables } from '../src/flows/flow-variables.ts'
import { meetsConditions, meetsGroup, TicketConditions } from '../src/views/ticket-conditions.ts'
import { flowFacts, textValues } from './flow-fixtures.ts'

const meets = (condition: object, facts = flowFacts(), variables = {}) =>
  meetsFlowConditions(FlowConditions.parse({ match: 'all', of: [condition] }), facts, variables)

describe('conditions of flows', () => {
  it('compare words without regard to case and accents, and only whole words', () => {
    const words = (mode: 'any' | 'all', ...list: string[]) => ({ mode, words: list })
    expect(containsWords('¿Cuánto sale la EXCURSIÓN?', words('any', 'excursion'))).toBe(true)
    expect(containsWords('¿Cuánto sale?', words('any', 'cuan'))).toBe(false)
    expect(containsWords('quiero\nun   reembolso, gracias', words('any', 'un reembolso'))).toBe(true)
    expect(containsWords('precio y fecha', words('all', 'fecha', 'precio'))).toBe(true)
    expect(containsWords('precio', words('all', 'fecha', 'precio'))).toBe(false)
    expect(containsWords('genial👍', words('any', '👍'))).toBe(true)
    expect(containsWords('', words('any', '!'))).toBe(false)
  })

  it('search a message of any length in a bounded time', () => {
    const began = process.threadCpuUsage()
    for (const sign of ['!', 'á', ' ', '\u0301', 'x '])
      containsWords(sign.repeat(500_000), { mode: 'all', words: ['x', '!'] })
    expect(process.threadCpuUsage(began).user / 1000).toBeLessThan(100)
  })

  it.each<[object, Parameters<typeof flowFacts>[0], boolean]>([
    [{ field: 'words', words: ['hola'] }, { message: { text: 'Hola!', hasFile: false, isFirst: false } }, true],
    [{ field: 'words', words: ['hola'] }, {}, false],
    [{ field: 'file' }, { message: { text: '', hasFile: true, isFirst: false } }, true],
    [{ field: 'file', not: true }, {}, true],
    [{ field: 'firstMessage' }, { message: { text: '', hasFile: false, isFirst: true } }, true],
    [{ field: 'hours' }, { isOpen: false }, false],
    [{ field: 'hours', not: true }, { isOpen: false }, true],
    [{ field: 'language', in: ['pt'] }, { language: 'pt' }, true],
    [{ field: 'language', in: ['pt'], not: true }, {}, true],
    [{ field: 'priority', in: ['normal'] }, {}, true],
    [{ field: 'user', in: ['me'] }, { startedBy: 7 }, true],
    [{ field: 'user', in: ['me'] }, {}, false],
  ])('evaluate %j with %j', (condition, facts, expected) => {
    expect(meets(condition, flowFacts(facts))).toBe(expected)
  })

  it.each<[string, string, string, boolean]>([
    ['', 'set', '', false],
    ['0', 'set', '', true],
    ['12', 'equals', '12.0', true],
    ['Niños', 'equals', 'ninos', true],
    ['12', 'greater', '9', true],
    ['9', 'greater', '12', false],
    ['-3', 'less', '2.5', true],
    ['2026-11-19', 'less', '2026-12-01', true],
    ['2026-11-19', 'greater', '7', false],
    ['mañana', 'greater', '7', false],
    ['Sala Norte', 'contains', 'norte', true],
  ])('compare the variable %j: %s %j is %s', (value, is, wanted, expected) => {
    expect(meets({ field: 'variable', name: 'x', is, value: wanted }, flowFacts(), { x: value })).toBe(expected)
  })

  it('take a variable that nobody has set for empty, whatever its name', () => {
    for (const name of ['x', 'constructor', 'toString'])
      expect(meets({ field: 'variable', name, is: 'set' })).toBe(false)
  })

  it('accept every condition of a view with the same result', () => {
    const condition = fc.oneof(
      fc.record({
        field: fc.constant('queue'),
        in: fc.array(fc.option(fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 3 }),
      }),
      fc.record({
        field: fc.constant('status'),
        in: fc.uniqueArray(fc.constantFrom('open', 'pending', 'closed'), { minLength: 1 }),
      }),
      fc.record({ field: fc.constant('unread'), not: fc.boolean() }),
      fc.record({ field: fc.constant('waiting'), minutes: fc.integer({ min: 0, max: 90 }) }),
    )
    const match = fc.constantFrom('all', 'any')
    const group = fc.record({
      match,
      of: fc.array(fc.oneof(condition, fc.record({ match, of: fc.array(condition, { maxLength: 4 }) })), {
        maxLength: 4,
      }),
    })
    const facts = flowFacts({ startedBy: 7 })
    fc.assert(
      fc.property(group, (conditions) => {
        const asView = meetsConditions(facts.ticket, TicketConditions.parse(conditions), { me: 7, now: facts.now })
        expect(meetsFlowConditions(FlowConditions.parse(conditions), facts, {})).toBe(asView)
      }),
    )
  })

  it('nest three levels and thirty conditions, and not more', () => {
    const unread = { field: 'unread' }
    const nest = (levels: number): object =>
      levels ? { match: 'all', of: [unread, nest(levels - 1)] } : { match: 'any', of: [unread] }
    expect(FlowConditions.safeParse(nest(2)).success).toBe(true)
    expect(FlowConditions.safeParse(nest(3)).success).toBe(false)
    const half = { match: 'any', of: Array(15).fill(unread) }
    expect(FlowConditions.safeParse({ match: 'all', of: [half, half] }).success).toBe(true)
    expect(FlowConditions.safeParse({ match: 'all', of: [half, half, unread] }).success).toBe(false)
  })

  it('meet an empty group, and look at no further condition than needed', () => {
    const looked: string[] = []
    const isMet = ({ is }: { is: string }) => looked.push(is) > 0 && is === 'yes'
    expect(meetsGroup<{ is: string }>({ match: 'any', of: [] }, isMet)).toBe(true)
    expect(meetsGroup({ match: 'any', of: [{ is: 'no' }, { is: 'yes' }, { is: 'no' }] }, isMet)).toBe(true)
    expect(meetsGroup({ match: 'all', of: [{ is: 'no' }, { is: 'yes' }] }, isMet)).toBe(false)
    expect(looked).toEqual(['no', 'yes', 'no'])
  })
})

describe('variables of flows', () => {
  it('fill in texts beside those that every message has, and stay as typed while they are not set', () => {
    expect(renderFlowText('{{firstName}}, {{people}}, {{ people }}, {{nobody}}', { people: '4' }, textValues)).toBe(
      'Lucía, 4, 4, {{nobody}}',
    )
  })

  it('do not fill in what a customer typed in braces', () => {
    expect(renderFlowText('{{note}}', { note: '{{number}} {{note}}' }, textValues)).toBe('{{number}} {{note}}')
  })

  it('encode every value where the place needs it', () => {
    const values = { q: 'a&b /ñ' }
    expect(renderFlowText('?q={{q}}&n={{name}}', values, textValues, encodeURIComponent)).toBe(
      '?q=a%26b%20%2F%C3%B1&n=Luc%C3%ADa%20Montes',
    )
  })

  it('have names of their own, and values of a bounded length', () => {
    const isName = (name: string) => variableName.safeParse(name).success
    expect(['people', 'orderId', 'a_1'].every(isName)).toBe(true)
    expect(['name', 'ticket', '1a', 'a-b', '', 'x'.repeat(41), '__proto__'].some(isName)).toBe(false)
    expect(withVariables({ a: '1' }, { b: 'x'.repeat(9000) }).b).toHaveLength(2000)
  })
})
