import { FlowDocument } from '@recado/contract/flows/flow-document'
import { describe, expect, it } from 'vitest'
import { toVariableName, variablesBefore, variablesOfFlow } from './variables-before.ts'

const ask = (id: string, variable: string, next: string) => ({
  ...{ id, kind: 'ask', text: '¿?', answer: { kind: 'text' }, variable, next, otherwise: 'end' },
})
const document = FlowDocument.parse({
  kind: 'flow',
  triggers: [{ kind: 'hook', keep: [{ path: 'order', variable: 'pedido' }] }],
  first: 'a',
  steps: [ask('a', 'nombre', 'b'), ask('b', 'edad', 'c'), ask('c', 'ciudad', 'b'), { id: 'end', kind: 'end' }],
})

describe('the variables before a step', () => {
  it('are those of the trigger and of the steps on the way to it', () => {
    expect(variablesBefore(document, 'a')).toEqual(['pedido'])
    const line = FlowDocument.parse({
      ...document,
      steps: [ask('a', 'nombre', 'b'), ask('b', 'edad', 'end'), { id: 'end', kind: 'end' }],
    })
    expect(variablesBefore(line, 'b')).toEqual(['pedido', 'nombre'])
    expect(variablesBefore(document, 'end')).toEqual(['pedido', 'nombre', 'edad', 'ciudad'])
  })

  it('include its own in a circle', () => {
    expect(variablesBefore(document, 'b')).toEqual(['pedido', 'nombre', 'edad', 'ciudad'])
  })

  it('are all of them for the whole flow', () => {
    expect(variablesOfFlow(document)).toEqual(['pedido', 'nombre', 'edad', 'ciudad'])
  })
})

it.each([
  ['Número de pedido', 'numero_de_pedido'],
  ['  2 edad!', 'edad'],
  ['name', ''],
  ['¿?', ''],
  ['x'.repeat(60), 'x'.repeat(40)],
])('names a variable: %s', (typed, name) => {
  expect(toVariableName(typed)).toBe(name)
})
