import type { Note } from '@recado/contract/tickets'
import { expect, it } from 'vitest'
import { sampleMessage as message } from '../../message/sample-message.ts'
import { type SystemLine, splitTemplate, toSystemLines } from './system-lines.ts'
import { buildThreadItems, type ThreadItem } from './thread-items.ts'
import { findFirstUnread } from './unread-at-opening.ts'

const at = (second: number) => message(second).createdAt
const note = (id: number, createdAt: string): Note => ({
  id,
  note: 'Prefiere la mañana',
  ticketId: 1,
  ticketNumber: 1,
  contactId: 1,
  user: { id: 1, name: 'Marina' },
  mentions: [],
  createdAt,
})
const line = (id: number, second: number): SystemLine => {
  return {
    id: `e${id}-0`,
    at: at(second),
    step: 'accepted',
    reason: 'by-person',
    actorName: 'Marina',
    target: '',
    from: '',
    closing: [],
  }
}
const emptyThreadParts = { notes: [], lines: [], ticket: { id: 1, number: 1 }, unread: null, hasMore: false }
const shapeOf = (items: ThreadItem[]) =>
  items.map((item) => (item.kind === 'message' ? `${item.message.id}${item.isSameSender ? '+' : ''}` : item.kind))

it('groups messages by sender and separates days', () => {
  const messages = [
    message(1),
    message(2),
    message(3, { fromMe: true, user: { id: 1, name: 'Marina' } }),
    message(4, { fromMe: true, bot: 'menu' }),
    message(5, { contact: { name: 'Hernán' } }),
    message(6, { createdAt: '2026-11-16T13:00:00.000Z', contact: { name: 'Hernán' } }),
  ]
  expect(shapeOf(buildThreadItems({ ...emptyThreadParts, messages }))).toEqual([
    'day',
    '1',
    '2+',
    '3',
    '4',
    '5',
    'day',
    '6',
  ])
})

it('marks where one ticket ended and the next began, above the date', () => {
  const messages = [
    message(1),
    message(2),
    message(3, { ticketId: 20, ticketNumber: 2, createdAt: '2026-11-20T13:00:00.000Z' }),
  ]
  const items = buildThreadItems({ ...emptyThreadParts, messages, ticket: { id: 20, number: 2 } })
  expect(shapeOf(items)).toEqual(['day', '1', '2+', 'cut', 'day', '3'])
  expect(items[3]).toMatchObject({
    ended: { ticketId: 1, number: 1, at: at(2) },
    started: { ticketId: 20, number: 2, at: '2026-11-20T13:00:00.000Z' },
  })
})

it('places messages without a ticket by time, without ticket boundaries', () => {
  const alone = (id: number) => message(id, { ticketId: null, ticketNumber: null, fromMe: true, bot: 'campaign' })
  const later = { ticketId: 20, ticketNumber: 2, createdAt: at(5) }
  const messages = [alone(1), message(2), alone(3), message(4), alone(5), message(6, later), alone(7)]
  const items = buildThreadItems({ ...emptyThreadParts, messages, ticket: { id: 20, number: 2 } })
  expect(shapeOf(items)).toEqual(['day', '1', '2', '3', '4', '5', 'cut', '6', '7'])
  const [ended, started] = [
    { ticketId: 1, number: 1, at: at(4) },
    { ticketId: 20, number: 2, at: at(5) },
  ]
  expect(items[6]).toMatchObject({ ended, started })
})

it('places notes and changes between the messages, and omits those older than the first loaded message', () => {
  const given = { ...emptyThreadParts, messages: [message(10), message(20)], notes: [note(1, at(15)), note(2, at(2))] }
  const lines = [line(1, 12), line(2, 3)]
  expect(shapeOf(buildThreadItems({ ...given, lines, hasMore: true }))).toEqual(['day', '10', 'system', 'note', '20'])
  expect(shapeOf(buildThreadItems({ ...given, lines: [] }))).toEqual(['day', 'note', '10', 'note', '20'])
})

it('collapses three changes in a row into one row', () => {
  const lines = [line(1, 2), line(2, 3), line(3, 4), line(4, 6)]
  const items = buildThreadItems({ ...emptyThreadParts, messages: [message(1), message(5)], lines })
  expect(shapeOf(items)).toEqual(['day', '1', 'system', '5', 'system'])
  expect(items[2]).toMatchObject({ lines: [{ id: 'e1-0' }, { id: 'e2-0' }, { id: 'e3-0' }] })
})

it('draws the "new" divider above the first message that was unread on opening', () => {
  const messages = [message(1), message(2, { read: false }), message(3, { fromMe: true }), message(4, { read: false })]
  const opened = { newest: '4', unread: 2 }
  const unread = findFirstUnread([...messages, message(5, { read: false })], 1, opened)
  expect(shapeOf(buildThreadItems({ ...emptyThreadParts, messages, unread }))).toEqual([
    'day',
    '1',
    'new',
    '2',
    '3',
    '4',
  ])
  expect(findFirstUnread(messages, 1, { newest: '4', unread: 0 })).toBeNull()
})

it('finds the first unread message of an older page once that page is loaded', () => {
  const opened = { newest: '30', unread: 3 }
  expect(findFirstUnread([message(30)], 1, opened)).toBe('30')
  expect(findFirstUnread([message(27), message(28), message(29), message(30)], 1, opened)).toBe('28')
})

it('picks the user actions on the ticket from the journal', () => {
  const steps = (step: string, why: string, w = {}) => [{ step, why, with: w }]
  const base = { messageId: null, phoneId: null, actor: { id: 1, name: 'Marina' } }
  const lines = toSystemLines([
    {
      ...base,
      id: 'e2',
      at: at(9),
      kind: 'transfer',
      steps: steps('transferred', 'by-person', { queue: 'Ventas', user: 'Julián' }),
    },
    { ...base, id: 'j9', at: at(5), kind: 'message', actor: null, steps: steps('journalled', 'x') },
    {
      ...base,
      id: 'e1',
      at: at(2),
      kind: 'accept',
      actor: null,
      steps: steps('accepted', 'by-person', { user: 'Ana' }),
    },
    // A flow assigned it: nobody accepted it.
    {
      ...base,
      id: 'e0',
      at: at(1),
      kind: 'accept',
      actor: null,
      steps: steps('accepted', 'by-machine', { user: 'Ana' }),
    },
  ])
  expect(lines.map(({ step, actorName, target }) => [step, actorName, target])).toEqual([
    ['accepted', '', 'Ana'],
    ['accepted', 'Ana', 'Ana'],
    ['transferred', 'Marina', 'Ventas · Julián'],
  ])
})

it('fills a sentence template and returns its parts', () => {
  expect(splitTemplate('{who} lo pasó a {to}', { who: 'Marina', to: 'Ventas' })).toEqual([
    { text: 'Marina', strong: true },
    { text: ' lo pasó a ', strong: false },
    { text: 'Ventas', strong: true },
  ])
})
