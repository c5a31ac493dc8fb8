import { planFlags } from '@recado/contract/endpoint'
import { type Profile, profiles } from '@recado/contract/rules'
import { IconTags } from '@tabler/icons-react'
import { describe, expect, test, vi } from 'vitest'
import type { LabeledScreen } from '../lib/screen.ts'
import { languages } from '../lib/texts.ts'
import { labeledScreens } from './labeled-screens.ts'
import { bottomBarEntries, buildNavigationMenu } from './menu.ts'
import { hasScreenAt, isScreenPath, screenAddress } from './screens.ts'

const bought = Object.fromEntries(planFlags.map((flag) => [flag, true]))
const addresses = (
  profile: Profile,
  isSuper = false,
  plan: Record<string, boolean> | null = bought,
  of = labeledScreens,
) =>
  buildNavigationMenu(of, { profile, super: isSuper }, plan).flatMap((group) =>
    group.entries.map((entry) => entry.address),
  )

describe('the screens', () => {
  test('each has a place of its own, in the router and in the menu, and a name', () => {
    const twice = (all: string[]) => all.filter((one, i) => all.indexOf(one) !== i)
    expect(labeledScreens.length).toBeGreaterThan(12)
    expect(twice(labeledScreens.map(screenAddress))).toEqual([])
    expect(twice(labeledScreens.flatMap(({ menu }) => (menu ? [`${menu.section} ${menu.order}`] : [])))).toEqual([])
    for (const { name } of labeledScreens) for (const language of languages) expect(name[language]).not.toBe('')
  })

  test('agents and supervisors see the work in the order of the spec, and nothing of the administration', () => {
    const work = [
      '/figures',
      '/tickets',
      '/kanban',
      '/quick-messages',
      '/todolist',
      '/contacts',
      '/schedules',
      '/tags',
      '/chats',
    ]
    for (const profile of profiles.filter((one) => one !== 'admin'))
      expect(addresses(profile)).toEqual([...work, '/helps'].filter(hasScreenAt))
  })

  test('admins see the administration, but not the platform', () => {
    expect(addresses('admin')).toEqual(expect.arrayContaining(['/settings', '/connections', '/phone']))
    expect(addresses('admin')).not.toContain('/announcements')
    expect(addresses('admin', true)).toContain('/announcements')
  })

  test('the phone shows at most three, tickets first', () => {
    const menu = buildNavigationMenu(labeledScreens, { profile: 'admin', super: false }, bought)
    const shown = bottomBarEntries(menu).map((entry) => entry.address)
    expect(shown).toEqual(['/tickets', '/chats', '/contacts', '/quick-messages'].filter(hasScreenAt).slice(0, 3))
  })
})

const made = (path: LabeledScreen['path'], more: Partial<LabeledScreen> = {}, order = 10): LabeledScreen => ({
  ...{ path, name: { es: path, pt: path, en: path }, page: () => null },
  menu: { section: 'work', order, icon: IconTags },
  ...more,
})

test('what the plan does not include is absent, and so is everything it would include while it is unknown', () => {
  const kanban = made('/kanban', { gate: { plan: 'useKanban' } })
  for (const plan of [{}, null]) expect(addresses('admin', true, plan, [kanban])).toEqual([])
  expect(addresses('user', false, { useKanban: true }, [kanban])).toEqual(['/kanban'])
})

test('what a login did not leave in the browser is absent: campaigns are for companies that have them on', () => {
  const ours = ['/campaigns', '/contact-lists', '/campaigns-config']
  const shown = () => addresses('admin').filter((address) => ours.includes(address))
  vi.stubGlobal('localStorage', { getItem: () => null })
  expect(shown()).toEqual([])
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'cshow' ? 'null' : null) })
  expect(shown()).toEqual(ours)
  vi.unstubAllGlobals()
})

test('a screen without a place in the menu is not in it, nor a section without screens', () => {
  const of = [
    made('/b', {}, 20),
    made('/a/{-$id}'),
    { path: '/report', name: made('/c').name, page: () => null } as const,
  ]
  expect(addresses('user', false, null, of)).toEqual(['/a', '/b'])
  expect(buildNavigationMenu(of, { profile: 'user', super: false }, null).map((group) => group.section)).toEqual([
    'work',
  ])
})

test('a path belongs to the screen whose own it is or stands before it', () => {
  expect(isScreenPath('/tickets', '/tickets')).toBe(true)
  expect(isScreenPath('/tickets', '/tickets/7')).toBe(true)
  expect(isScreenPath('/tickets', '/tickets-old')).toBe(false)
  expect(isScreenPath('/', '/tickets')).toBe(false)
})
