import type { QuickMessage } from '@recado/contract/quick-messages'
import { expect, it } from 'vitest'
import { oldestOverLimit } from './drafts.ts'
import { parseSlashQuery, searchQuickReplies, truncateLabel } from './match-quick-replies.ts'

const replyOf = (shortcode: string, message = '') => ({ shortcode, message }) as QuickMessage

it('the list is asked for by a slash and something after it', () => {
  expect([
    parseSlashQuery('/'),
    parseSlashQuery('/g'),
    parseSlashQuery('hola /g'),
    parseSlashQuery(''),
    parseSlashQuery('/g\nb'),
  ]).toEqual([null, 'g', null, null, null])
})

it('shortcuts that begin so come first, then those that hold it, then those that say it', () => {
  const all = [
    replyOf('saludo', 'Gracias por escribir'),
    replyOf('mil-gracias'),
    replyOf('GRÁCIAS'),
    replyOf('precios', 'La lista'),
    replyOf('/gracia'),
  ]
  expect(searchQuickReplies(all, 'graci').map(({ shortcode }) => shortcode)).toEqual([
    '/gracia',
    'GRÁCIAS',
    'mil-gracias',
    'saludo',
  ])
  expect(searchQuickReplies(all, 'nada')).toEqual([])
  expect(searchQuickReplies(all, '')).toHaveLength(5)
})

it('a label has at most 35 signs, an emoji being one', () => {
  expect(truncateLabel('corto')).toBe('corto')
  expect([...truncateLabel('🎉'.repeat(50))]).toHaveLength(35)
  expect(truncateLabel('una\nlínea   y otra')).toBe('una línea y otra')
  expect([...truncateLabel('x'.repeat(35))]).toHaveLength(35)
  expect(truncateLabel('x'.repeat(36)).endsWith('…')).toBe(true)
})

it('of too many drafts the oldest go', () => {
  expect(oldestOverLimit([{ at: 3 }, { at: 1 }, { at: 2 }], 2)).toEqual([{ at: 1 }])
})
