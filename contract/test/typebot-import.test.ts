import { checkFlow } from '@recado/contract/flows/check-flow'
import { FlowDocument } from '@recado/contract/flows/flow-document'
import { type FlowStep, listWaysOut } from '@recado/contract/flows/flow-steps'
import { TestScene } from '@recado/contract/flows/flow-tests'
import { simulateFlow } from '@recado/contract/flows/simulate-flow'
import { TypebotFile } from '@recado/contract/flows/typebot-file'
import { importTypebot } from '@recado/contract/flows/typebot-import'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const text = (id: string, words: string, more: object = {}) => ({
  ...{ id, type: 'text', ...more },
  content: { richText: [{ type: 'p', children: [{ text: words }] }] },
})
const edge = (id: string, groupId: string, blockId?: string) => ({
  id,
  from: { blockId: 'any' },
  to: { groupId, blockId },
})

/** Asks for a name and a choice; one option calls a server, the other compares an answer. */
const travel = {
  version: '6.1',
  name: 'Reservas',
  events: [{ id: 'e', type: 'start', outgoingEdgeId: 'to-hello' }],
  variables: [
    { id: 'v1', name: 'Nombre completo' },
    { id: 'v2', name: 'name' },
    { id: 'v3', name: 'Plazas' },
  ],
  groups: [
    {
      id: 'hello',
      title: 'Saludo',
      blocks: [
        text('t1', 'Hola'),
        text('t2', '¿Cómo te llamas?'),
        { id: 'i1', type: 'text input', options: { variableId: 'v1' } },
        text('t3', 'Gracias, {{Nombre completo}}. ¿Qué necesitas?'),
        {
          ...{ id: 'c1', type: 'choice input' },
          items: [
            { id: 'a', content: 'Reservar', outgoingEdgeId: 'to-call' },
            { id: 'b', content: 'Otra cosa', outgoingEdgeId: 'to-number' },
          ],
        },
      ],
    },
    {
      id: 'call',
      title: 'Plazas',
      blocks: [
        {
          ...{ id: 'w1', type: 'Webhook' },
          options: {
            webhook: {
              method: 'GET',
              url: 'https://api.example.test/plazas?para={{Nombre completo}}',
              headers: [{ key: 'X-Key', value: 'abc' }],
            },
            responseVariableMapping: [{ variableId: 'v3', bodyPath: 'data.items[0].libres' }],
          },
        },
        text('t4', 'Quedan {{Plazas}}'),
      ],
    },
    {
      id: 'number',
      title: 'Cuántos',
      blocks: [
        text('t6', '¿Cuántos sois?'),
        { id: 'n1', type: 'number input', options: { min: 1, max: '40', variableId: 'v2' } },
        {
          ...{ id: 'k1', type: 'Condition' },
          items: [
            {
              id: 'k',
              outgoingEdgeId: 'to-many',
              content: { comparisons: [{ variableId: 'v2', comparisonOperator: 'Greater or equal to', value: '8' }] },
            },
          ],
        },
        { id: 'j1', type: 'Jump', options: { groupId: 'call', blockId: 't4' } },
      ],
    },
    {
      id: 'many',
      title: 'Grupo',
      blocks: [{ id: 's1', type: 'Google Sheets' }, { id: 'x1', type: 'Code' }, text('t5', 'Sois muchos')],
    },
  ],
  edges: [edge('to-hello', 'hello'), edge('to-call', 'call'), edge('to-number', 'number'), edge('to-many', 'many')],
}

const imported = (bot: unknown) => {
  const result = importTypebot(TypebotFile.parse(bot))
  return { ...result, document: FlowDocument.parse(result.document) }
}
const saidBy = (document: FlowDocument, ...messages: string[]): string[] =>
  simulateFlow(
    document,
    TestScene.parse({ values: { plazas: '7' } }),
    messages.map((words) => ({ kind: 'message', text: words, optionId: null, file: null, place: false })),
  ).lines.flatMap((line) => (line.kind === 'said' ? [line.text] : []))
const stepsOf = <Kind extends FlowStep['kind']>({ steps }: FlowDocument, kind: Kind) =>
  steps.filter((step): step is Extract<FlowStep, { kind: Kind }> => step.kind === kind)

describe('a file of Typebot', () => {
  it('says and asks the same', () => {
    const { name, document } = imported(travel)
    expect(name).toBe('Reservas')
    expect(saidBy(document, 'Ana Paz', 'Reservar')).toEqual([
      'Hola\n\n¿Cómo te llamas?',
      'Gracias, Ana Paz. ¿Qué necesitas?',
      'Quedan 7',
    ])
    expect(saidBy(document, 'Ana Paz', 'Otra cosa', '9').at(-1)).toBe('Sois muchos')
  })

  it('is checked like every flow: a value that only one way sets is missing on the other', () => {
    const { document } = imported(travel)
    expect(saidBy(document, 'Ana Paz', 'Otra cosa', '2').at(-1)).toBe('Quedan {{plazas}}')
    expect(checkFlow(document, false)).toMatchObject([{ kind: 'unset-variable', variable: 'plazas' }])
  })

  it('keeps calls with the parts of their reply', () => {
    const [call] = stepsOf(imported(travel).document, 'call')
    expect(call).toMatchObject({
      ...{ method: 'GET', url: 'https://api.example.test/plazas?para={{nombre_completo}}' },
      ...{ headers: [{ name: 'X-Key', value: 'abc' }], keep: [{ path: 'items.0.libres', variable: 'plazas' }] },
    })
  })

  it('hands over to a person who is not understood', () => {
    const { document } = imported(travel)
    for (const question of stepsOf(document, 'ask')) expect(question.otherwise).toBe('person')
    expect(stepsOf(document, 'person')).toHaveLength(1)
  })

  it('names what did not come', () => {
    expect(imported(travel).losses).toEqual([
      { reason: 'no-such-step', group: 'Grupo', block: 'Google Sheets' },
      { reason: 'no-such-step', group: 'Grupo', block: 'Code' },
    ])
  })

  it('reads what older versions wrote', () => {
    const { document } = imported({
      name: 'Old',
      groups: [
        { id: 'g0', title: 'Start', blocks: [{ id: 'b0', type: 'start', outgoingEdgeId: 'e1' }] },
        { id: 'g1', title: 'Hi', blocks: [{ id: 'b1', type: 'text', content: { html: '<div>Hello<br>you</div>' } }] },
      ],
      edges: [edge('e1', 'g1')],
    })
    expect(saidBy(document)).toEqual(['Hello\nyou'])
  })

  it('does not take over what a program calculates, nor a server that a customer chooses', () => {
    const { document, losses } = imported({
      name: 'Programs',
      variables: [{ id: 'v', name: 'host' }],
      groups: [
        {
          id: 'g',
          title: 'All',
          blocks: [
            { id: '1', type: 'Set variable', options: { variableId: 'v', expressionToEvaluate: 'fetch("x")' } },
            { id: '2', type: 'Webhook', options: { webhook: { url: 'https://{{host}}/x' } } },
            text('3', 'Done'),
          ],
        },
      ],
      edges: [],
    })
    expect(document.steps.map(({ kind }) => kind)).toEqual(['say', 'end'])
    expect(losses.map(({ reason }) => reason)).toEqual(['calculated', 'variable-address'])
  })

  it('refuses other files, and those with too many blocks', () => {
    const blocks = Array.from({ length: 1500 }, (_, i) => ({ id: `b${i}`, type: 'text' }))
    const group = (id: string) => ({ id, title: id, blocks })
    for (const given of [[], { groups: [] }, { ...travel, groups: [group('a'), group('b')] }])
      expect(TypebotFile.safeParse(given).success).toBe(false)
  })

  it('makes a valid flow of any graph', () => {
    const type = fc.constantFrom(
      'text',
      'text input',
      'choice input',
      'Condition',
      'Jump',
      'AB test',
      'Wait',
      'Code',
      'image',
    )
    const block = fc.record({ type, to: fc.nat(12), item: fc.nat(12), linked: fc.boolean() })
    const groups = fc.array(fc.array(block, { maxLength: 6 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(groups, (made) => {
        const target = (n: number) => `to-${n % made.length}`
        const bot = {
          name: 'Any',
          events: [{ type: 'start', outgoingEdgeId: 'to-0' }],
          edges: made.map((_, i) => edge(`to-${i}`, `g${i}`)),
          groups: made.map((blocks, g) => ({
            id: `g${g}`,
            title: `Group ${g}`,
            blocks: blocks.map(({ type: kind, to, item, linked }, b) => ({
              ...{ id: `b${g}-${b}`, type: kind, outgoingEdgeId: linked ? target(to) : null },
              content: { richText: [{ children: [{ text: `Text ${g} ${b}` }] }], url: 'https://example.test/a.png' },
              options: { groupId: `g${to % made.length}`, secondsToWaitFor: '90' },
              items: [
                { path: 'a', content: 'One', outgoingEdgeId: target(item) },
                { path: 'b', content: 'Two' },
              ],
            })),
          })),
        }
        const { document } = imported(bot)
        const ids = new Set(document.steps.map(({ id }) => id))
        for (const step of document.steps)
          for (const { to } of listWaysOut(step)) expect(to !== null && ids.has(to)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('stays within the limits of a flow, whatever the file has', () => {
    const blocks = Array.from({ length: 400 }, (_, i) => ({ id: `q${i}`, type: 'text input' }))
    const { document, losses } = imported({ name: 'Long', groups: [{ id: 'g', title: 'Long', blocks }], edges: [] })
    expect(document.steps.length).toBeLessThanOrEqual(200)
    expect(losses).toEqual([{ reason: 'no-room', group: 'Long', block: 'text input' }])
  })
})
