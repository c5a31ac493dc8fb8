import type { Connection } from '@recado/contract/connections'
import type { Ticket } from '@recado/contract/tickets'
import { expect, it } from 'vitest'
import { getComposerBlock } from './composer-block.ts'

const ana = { id: 1, profile: 'user' as const, super: false }
const ticketOf = (more: Partial<Ticket>) => ({ status: 'open', userId: 1, whatsappId: 5, ...more }) as Ticket
const lines = (status: Connection['status']) => [{ id: 5, status } as Connection]

it('lets the assignee and supervisors answer a ticket', () => {
  expect(getComposerBlock(ticketOf({}), ana, lines('CONNECTED'), null)).toBeNull()
  expect(getComposerBlock(ticketOf({ userId: 2 }), ana, lines('CONNECTED'), null)).toBe('theirs')
  expect(getComposerBlock(ticketOf({ userId: null }), ana, lines('CONNECTED'), null)).toBe('nobody')
  for (const profile of ['admin', 'supervisor'] as const)
    expect(getComposerBlock(ticketOf({ userId: 2 }), { ...ana, profile }, lines('CONNECTED'), null)).toBeNull()
})

it('requires a pending or resolved ticket to be opened first, for every user', () => {
  for (const profile of ['user', 'admin'] as const) {
    expect(getComposerBlock(ticketOf({ status: 'pending', userId: null }), { ...ana, profile }, undefined, null)).toBe(
      'pending',
    )
    expect(getComposerBlock(ticketOf({ status: 'closed' }), { ...ana, profile }, undefined, null)).toBe('resolved')
  }
})

it('closes the composer when the line is down, but not while the line reconnects', () => {
  for (const status of ['qrcode', 'PAIRING', 'DISCONNECTED'] as const)
    expect(getComposerBlock(ticketOf({}), ana, lines(status), null)).toBe('lineDown')
  for (const status of ['OPENING', 'TIMEOUT'] as const)
    expect(getComposerBlock(ticketOf({}), ana, lines(status), null)).toBeNull()
  expect(getComposerBlock(ticketOf({}), ana, undefined, null)).toBeNull()
  expect(getComposerBlock(ticketOf({ whatsappId: null }), ana, undefined, null)).toBe('lineGone')
  expect(getComposerBlock(ticketOf({}), ana, [], null)).toBe('lineGone')
})

it('closes the composer after the 24 hours of the official API, unless another reason applies', () => {
  const over = ticketOf({ windowEndsAt: '2026-11-14T10:00:00.000Z' })
  expect(getComposerBlock(over, ana, lines('CONNECTED'), 1)).toBeNull()
  expect(getComposerBlock(over, ana, lines('CONNECTED'), 0)).toBe('windowOver')
  expect(getComposerBlock(over, ana, undefined, -5)).toBe('windowOver')
  expect(getComposerBlock(over, ana, lines('DISCONNECTED'), -5)).toBe('lineDown')
  expect(getComposerBlock({ ...over, windowEndsAt: '1970-01-01T00:00:00.000Z' }, ana, lines('CONNECTED'), -5)).toBe(
    'neverWrote',
  )
})
