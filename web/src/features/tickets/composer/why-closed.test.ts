import type { Connection } from '@recado/contract/connections'
import type { Ticket } from '@recado/contract/tickets'
import { expect, it } from 'vitest'
import { whyClosed } from './why-closed.ts'

const ana = { id: 1, profile: 'user' as const, super: false }
const ticketOf = (more: Partial<Ticket>) => ({ status: 'open', userId: 1, whatsappId: 5, ...more }) as Ticket
const lines = (status: Connection['status']) => [{ id: 5, status } as Connection]

it('a ticket can be answered by who attends it, and by those who lead', () => {
  expect(whyClosed(ticketOf({}), ana, lines('CONNECTED'))).toBeNull()
  expect(whyClosed(ticketOf({ userId: 2 }), ana, lines('CONNECTED'))).toBe('theirs')
  expect(whyClosed(ticketOf({ userId: null }), ana, lines('CONNECTED'))).toBe('nobody')
  for (const profile of ['admin', 'supervisor'] as const)
    expect(whyClosed(ticketOf({ userId: 2 }), { ...ana, profile }, lines('CONNECTED'))).toBeNull()
})

it('a ticket that waits or is resolved has to be opened first, whoever it is', () => {
  for (const profile of ['user', 'admin'] as const) {
    expect(whyClosed(ticketOf({ status: 'pending', userId: null }), { ...ana, profile }, undefined)).toBe('pending')
    expect(whyClosed(ticketOf({ status: 'closed' }), { ...ana, profile }, undefined)).toBe('resolved')
  }
})

it('a line that is down closes the box; one that is on its way back does not', () => {
  for (const status of ['qrcode', 'PAIRING', 'DISCONNECTED'] as const)
    expect(whyClosed(ticketOf({}), ana, lines(status))).toBe('lineDown')
  for (const status of ['OPENING', 'TIMEOUT'] as const) expect(whyClosed(ticketOf({}), ana, lines(status))).toBeNull()
  expect(whyClosed(ticketOf({}), ana, undefined)).toBeNull()
  expect(whyClosed(ticketOf({ whatsappId: null }), ana, undefined)).toBe('lineGone')
  expect(whyClosed(ticketOf({}), ana, [])).toBe('lineGone')
})
