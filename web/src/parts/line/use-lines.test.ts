import type { Connection } from '@recado/contract/connections'
import { expect, test } from 'vitest'
import { applyLineNews, needsAttention } from './use-lines.ts'

const line = (id: number, more: Partial<Connection> = {}) =>
  ({ id, name: `L${id}`, status: 'CONNECTED', qrcode: '', updatedAt: '2026-11-14', ...more }) as Connection

test('inserts a new line in the server’s order, replaces a known line, and removes a deleted line', () => {
  const lines = [line(1), line(3)]
  expect(applyLineNews(lines, { action: 'update', row: line(2) }).map(({ id }) => id)).toEqual([1, 2, 3])
  expect(applyLineNews(lines, { action: 'update', row: line(3, { name: 'Ventas' }) })[1]?.name).toBe('Ventas')
  expect(applyLineNews(lines, { action: 'delete', id: 1 })).toEqual([line(3)])
})

test('changes only the session of the line that a session event is about', () => {
  const session = { id: 3, status: 'qrcode' as const, qrcode: 'x', retries: 1, reason: '', updatedAt: '2026-11-15' }
  const after = applyLineNews([line(1), line(3)], { action: 'session', session })
  expect(after).toEqual([line(1), { ...line(3), ...session }])
  expect(applyLineNews([line(1)], { action: 'session', session })).toEqual([line(1)])
})

test('ignores an outdated event', () => {
  const known = line(1, { status: 'qrcode', updatedAt: '2026-11-15T10:00:01.000Z' })
  const late = line(1, { status: 'OPENING', updatedAt: '2026-11-15T10:00:00.900Z' })
  expect(applyLineNews([known], { action: 'update', row: late })).toEqual([known])
  expect(applyLineNews([late], { action: 'update', row: known })).toEqual([known])
})

test('marks every state except connected as needing attention', () => {
  const asking = ['OPENING', 'qrcode', 'PAIRING', 'DISCONNECTED', 'TIMEOUT', 'CONNECTED'] as const
  expect(asking.filter((status) => needsAttention(line(1, { status })))).toEqual(asking.slice(0, 5))
})
