import { planFlags } from '@recado/contract/kit'
import { type Profile, profiles } from '@recado/contract/rules'
import { expect, test } from 'vitest'
import { handyEntries, isAt, menuFor } from './menu.ts'

const everything = (_: string): boolean => true
const bought = Object.fromEntries(planFlags.map((flag) => [flag, true]))
const paths = (profile: Profile, isSuper = false, plan: Record<string, boolean> | null = bought, exists = everything) =>
  menuFor({ profile, super: isSuper }, plan, exists).flatMap((group) => group.entries.map((entry) => entry.path))

test('agents and supervisors see the work and nothing of the administration', () => {
  for (const profile of profiles.filter((one) => one !== 'admin')) {
    expect(paths(profile)).toEqual([
      '/tickets',
      '/kanban',
      '/quick-messages',
      '/todolist',
      '/contacts',
      '/schedules',
      '/tags',
      '/chats',
      '/helps',
    ])
  }
})

test('admins see the panel and the administration, but not the platform', () => {
  expect(paths('admin')[0]).toBe('/')
  expect(paths('admin')).toEqual(expect.arrayContaining(['/settings', '/connections', '/phone']))
  expect(paths('admin')).not.toContain('/announcements')
  expect(paths('admin', true)).toContain('/announcements')
})

test('what the plan does not include is absent, and so is everything it would include while it is unknown', () => {
  const gated = [
    '/kanban',
    '/campaigns',
    '/contact-lists',
    '/campaigns-config',
    '/prompts',
    '/queue-integration',
    '/messages-api',
  ]
  for (const plan of [{}, null]) expect(paths('admin', false, plan).filter((path) => gated.includes(path))).toEqual([])
  expect(paths('admin')).toEqual(expect.arrayContaining(gated))
})

test('a screen that does not exist is not shown, nor a group without screens', () => {
  const exists = (path: string) => path === '/tags'
  expect(paths('admin', true, bought, exists)).toEqual(['/tags'])
  expect(menuFor({ profile: 'admin', super: true }, bought, exists).map((group) => group.name)).toEqual(['work'])
})

test('the phone shows at most three, tickets first', () => {
  const menu = menuFor({ profile: 'admin', super: false }, bought, everything)
  expect(handyEntries(menu).map((entry) => entry.path)).toEqual(['/tickets', '/chats', '/contacts'])
})

test('an entry is current on its own path and below it', () => {
  const [tickets] = handyEntries(menuFor({ profile: 'user', super: false }, bought, everything))
  if (!tickets) throw new Error('no tickets')
  expect(isAt(tickets, '/tickets')).toBe(true)
  expect(isAt(tickets, '/tickets/7')).toBe(true)
  expect(isAt(tickets, '/tickets-old')).toBe(false)
})
