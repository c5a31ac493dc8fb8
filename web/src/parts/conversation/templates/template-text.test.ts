import type { Template } from '@recado/contract/cloud'
import { expect, it } from 'vitest'
import { fillComponent, findMissingValues, searchTemplates, templateExample } from './template-text.ts'

const template = (name: string, text: string, keys: string[] = []): Template => ({
  id: name,
  name,
  language: 'es',
  category: 'utility',
  components: [{ type: 'body', format: null, text, buttons: [] }],
  variables: keys.map((key) => ({ key, in: 'body', name: key.split('.')[1] ?? '', example: '' })),
  media: null,
  unsendable: '',
})

it('fills the placeholders of a template’s component, numbered or named, and leaves empty placeholders', () => {
  const text = 'Hola {{1}}, tu pedido {{ numero }} sale el {{3}}'
  const values = { 'body.1': 'Ana', 'body.numero': '77 ', 'header.3': 'lunes' }
  expect(fillComponent({ type: 'body', text }, values)).toBe('Hola Ana, tu pedido 77 sale el {{3}}')
  expect(fillComponent({ type: 'body', text: '{{1}}' }, { 'body.1': 'a $& b' })).toBe('a $& b')
  expect(fillComponent({ type: 'body', text: '{{1}} es tu código' }, { code: '4821' })).toBe('4821 es tu código')
})

it('shows a template in the list with its examples instead of its placeholders', () => {
  const order = template('pedido', 'Hola {{1}}, tu pedido {{numero}}', ['body.1', 'body.numero'])
  const [name, number] = order.variables
  if (!name || !number) throw new Error('two variables expected')
  expect(templateExample({ ...order, variables: [{ ...name, example: 'Ana' }, number] })).toBe(
    'Hola Ana, tu pedido ____',
  )
})

it('lists missing values, treating blanks as missing', () => {
  const order = template('pedido', '{{1}} {{2}}', ['body.1', 'body.2'])
  expect(findMissingValues(order, { 'body.1': 'x', 'body.2': '  ' })).toEqual(['body.2'])
  expect(findMissingValues(order, { 'body.1': 'x', 'body.2': 'y' })).toEqual([])
  expect(findMissingValues({ ...template('foto', ''), media: 'image' }, {})).toEqual(['media'])
  expect(findMissingValues({ ...template('foto', ''), media: 'image' }, {}, new File(['x'], 'x.png'))).toEqual([])
})

it('finds a template by name or text, ignoring accents', () => {
  const all = [template('pedido_listo', 'Tu pedido está listo'), template('bienvenida', 'Gracias por escribirnos')]
  const names = (search: string) => searchTemplates(all, search).map(({ name }) => name)
  expect(names('')).toEqual(['pedido_listo', 'bienvenida'])
  expect(names('pedido listo')).toEqual(['pedido_listo'])
  expect(names('ESTA')).toEqual(['pedido_listo'])
  expect(names('gracias pedido')).toEqual([])
})
