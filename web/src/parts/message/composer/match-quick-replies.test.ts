import type { QuickMessage } from '@recado/contract/quick-messages'
import { expect, it } from 'vitest'
import { oldestOverLimit } from './drafts.ts'
import { parseSlashQuery, searchQuickReplies, truncateLabel } from './match-quick-replies.ts'

const replyOf = (shortcode: string, message = '') => ({ shortcode, message }) as QuickMessage

it('opens the list for a slash with text after it', () => {
  expect([
    parseSlashQuery('/'),
    parseSlashQuery('/g'),
    parseSlashQuery('hola /g'),
    parseSlashQuery(''),
    parseSlashQuery('/g\nb'),
  ]).toEqual([null, 'g', null, null, null])
})

it('lists shortcuts that start with the query first, then shortcuts that contain it, then replies by message text', () => {
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

it('truncates a label to 35 characters, counting an emoji as one character', () => {
  expect(truncateLabel('corto')).toBe('corto')
  expect([...truncateLabel('🎉'.repeat(50))]).toHaveLength(35)
  expect(truncateLabel('una\nlínea   y otra')).toBe('una línea y otra')
  expect([...truncateLabel('x'.repeat(35))]).toHaveLength(35)
  expect(truncateLabel('x'.repeat(36)).endsWith('…')).toBe(true)
})

it('deletes the oldest drafts above the limit', () => {
  expect(oldestOverLimit([{ at: 3 }, { at: 1 }, { at: 2 }], 2)).toEqual([{ at: 1 }])
})
