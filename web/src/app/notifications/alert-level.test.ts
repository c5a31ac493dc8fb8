import type { MessageNews } from '@recado/contract/live'
import type { Ticket } from '@recado/contract/tickets'
import { describe, expect, test } from 'vitest'
import { sampleTicket } from '../../parts/ticket/sample-ticket.ts'
import { decideAlertLevel } from './alert-level.ts'
import { applyUnreadNews, isUnreadForUser, unreadTicketsFor } from './unread-tickets.ts'

const me = { id: 7, allTicket: 'desabled' as const }
const userWithAllTickets = { id: 7, allTicket: 'enabled' as const }
const ticket = (change: Partial<Ticket> = {}): Ticket =>
  sampleTicket({ id: 1, status: 'open', userId: 7, unreadMessages: 1, ...change })
const messageNews = (change: Partial<Ticket> = {}, fromMe = false): MessageNews =>
  ({ action: 'create', message: { id: '1', fromMe }, ticket: ticket(change), contact: {} }) as MessageNews

describe('tickets shown under the notification bell', () => {
  test('include the user’s own unread tickets', () => {
    expect(isUnreadForUser(ticket(), me)).toBe(true)
    expect(isUnreadForUser(ticket({ unreadMessages: 0 }), me)).toBe(false)
    expect(isUnreadForUser(ticket({ userId: 8 }), userWithAllTickets)).toBe(false)
    expect(isUnreadForUser(ticket({ status: 'closed' }), me)).toBe(false)
    const snooze = { since: '2026-11-15T10:00:00.000Z', until: null, wakesOnMessage: true, note: '' }
    expect(isUnreadForUser(ticket({ snooze }), me)).toBe(false)
  })

  test('include pending tickets for users with access to them', () => {
    const waiting = ticket({ status: 'pending', userId: null })
    expect(isUnreadForUser(waiting, me)).toBe(false)
    expect(isUnreadForUser(waiting, userWithAllTickets)).toBe(true)
  })

  test('are the same after events as after a reload', () => {
    const [a, b] = [
      ticket({ id: 1, updatedAt: '2026-11-15T10:00:00.000Z' }),
      ticket({ id: 2, updatedAt: '2026-11-15T11:00:00.000Z' }),
    ]
    const list = unreadTicketsFor([a, b], me)
    expect(list.map((one) => one.id)).toEqual([2, 1])
    const raised = { ...a, unreadMessages: 2, updatedAt: '2026-11-15T12:00:00.000Z' }
    expect(applyUnreadNews(list, { put: raised }, me)).toEqual([raised, b])
    expect(applyUnreadNews(list, { put: { ...raised, userId: 8 } }, me)).toEqual([b])
    expect(applyUnreadNews(list, { put: { ...raised, unreadMessages: 0 } }, me)).toEqual([b])
    expect(applyUnreadNews(list, { gone: 2 }, me)).toEqual([a])
    expect(applyUnreadNews(list, { gone: 9 }, me)).toBe(list)
    expect(applyUnreadNews(list, { put: ticket({ id: 9, userId: 8 }) }, me)).toBe(list)
    // An outdated event is ignored.
    expect(applyUnreadNews(list, { put: { ...b, unreadMessages: 0, updatedAt: '2026-11-15T09:00:00.000Z' } }, me)).toBe(
      list,
    )
  })
})

describe('the alert for an incoming message', () => {
  const sameTicketTab = { path: `/tickets/${ticket().uuid}`, focused: true }
  const elsewhere = { path: '/tickets', focused: true }

  test('is omitted for a message that is our own, old, or for another user', () => {
    expect(decideAlertLevel(messageNews({}, true), me, elsewhere)).toBe('nothing')
    expect(decideAlertLevel({ action: 'update', message: {} } as MessageNews, me, elsewhere)).toBe('nothing')
    expect(decideAlertLevel(messageNews({ userId: 8 }), me, elsewhere)).toBe('nothing')
    expect(decideAlertLevel(messageNews({ status: 'pending', userId: null }), me, elsewhere)).toBe('nothing')
  })

  test('makes no sound for the conversation being read', () => {
    expect(decideAlertLevel(messageNews(), me, sameTicketTab)).toBe('seen')
    expect(decideAlertLevel(messageNews(), me, { ...sameTicketTab, focused: false })).toBe('sound and notice')
  })

  test('is a sound while the tab has the focus, and also a notification while the user is in another window', () => {
    expect(decideAlertLevel(messageNews(), me, elsewhere)).toBe('sound')
    expect(decideAlertLevel(messageNews(), me, { ...elsewhere, focused: false })).toBe('sound and notice')
    expect(decideAlertLevel(messageNews({ status: 'pending', userId: null }), userWithAllTickets, elsewhere)).toBe(
      'sound',
    )
  })
})
