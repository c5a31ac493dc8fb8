import type { QuickMessage } from '@recado/contract/quick-messages'
import { expect, it } from 'vitest'
import { tooMany } from './drafts.ts'
import { asked, cut, matching } from './match-replies.ts'

const replyOf = (shortcode: string, message = '') => ({ shortcode, message }) as QuickMessage

it('the list is asked for by a slash and something after it', () => {
  expect([asked('/'), asked('/g'), asked('hola /g'), asked(''), asked('/g\nb')]).toEqual([null, 'g', null, null, null])
})

it('shortcuts that begin so come first, then those that hold it, then those that say it', () => {
  const all = [
    replyOf('saludo', 'Gracias por escribir'),
    replyOf('mil-gracias'),
    replyOf('GRÁCIAS'),
    replyOf('precios', 'La lista'),
    replyOf('/gracia'),
  ]
  expect(matching(all, 'graci').map(({ shortcode }) => shortcode)).toEqual([
    '/gracia',
    'GRÁCIAS',
    'mil-gracias',
    'saludo',
  ])
  expect(matching(all, 'nada')).toEqual([])
  expect(matching(all, '')).toHaveLength(5)
})

it('a label has at most 35 signs, an emoji being one', () => {
  expect(cut('corto')).toBe('corto')
  expect([...cut('🎉'.repeat(50))]).toHaveLength(35)
  expect(cut('una\nlínea   y otra')).toBe('una línea y otra')
  expect([...cut('x'.repeat(35))]).toHaveLength(35)
  expect(cut('x'.repeat(36)).endsWith('…')).toBe(true)
})

it('of too many drafts the oldest go', () => {
  expect(tooMany([{ at: 3 }, { at: 1 }, { at: 2 }], 2)).toEqual([{ at: 1 }])
})
