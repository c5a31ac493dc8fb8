import { planFlags } from '@recado/contract/endpoint'
import type { Profile } from '@recado/contract/rules'
import { isScreenAddress, screenAddresses } from '@recado/contract/server'
import { IconTags } from '@tabler/icons-react'
import { describe, expect, test, vi } from 'vitest'
import { guideForPath, guideIds, guideScreens, guidesByFolder } from '../features/helps/guides/guide-ids.ts'
import type { LabeledScreen } from '../lib/screen.ts'
import { languages } from '../lib/texts.ts'
import { labeledScreens } from './labeled-screens.ts'
import { bottomBarEntries, buildNavigationMenu } from './menu.ts'
import { hasScreenAt, isScreenPath, screenAddress, screens } from './screens.ts'

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

describe('screen registry', () => {
  test('has the same paths that the server answers with the app', () => {
    const publicPages = ['/login', '/signup', '/forgetpsw', '/invitation']
    expect([...screens.map(screenAddress), ...publicPages].filter((one) => !isScreenAddress(one))).toEqual([])
    const isUsed = (address: string) => screens.some((one) => isScreenPath(address, screenAddress(one)))
    expect(screenAddresses.filter((one) => !isUsed(one) && !publicPages.includes(one))).toEqual([])
  })

  test('gives each screen its own path, menu position and name', () => {
    const twice = (all: string[]) => all.filter((one, i) => all.indexOf(one) !== i)
    expect(labeledScreens.length).toBeGreaterThan(12)
    expect(twice(labeledScreens.map(screenAddress))).toEqual([])
    expect(twice(labeledScreens.flatMap(({ menu }) => (menu ? [`${menu.section} ${menu.order}`] : [])))).toEqual([])
    for (const { name } of labeledScreens) for (const language of languages) expect(name[language]).not.toBe('')
  })

  test('decides for every screen which guide its "?" opens', () => {
    const folders = new Set(screens.map((screen) => screenAddress(screen).split('/')[1] ?? ''))
    expect(Object.keys(guidesByFolder).sort()).toEqual([...folders].sort())
    expect(guideForPath('/tickets/1b4e28ba')).toBe('answer')
    expect(guideForPath('/phone')).toBe('test-phone')
    expect(guideForPath('/schedules')).toBeNull()
    // The button at the end of a guide leads to a screen whose "?" opens that guide again.
    for (const id of guideIds) expect(guideForPath(guideScreens[id])).toBe(id)
  })

  test('shows agents and supervisors their screens in three groups, with help at the foot', () => {
    const groups = (profile: Profile) =>
      buildNavigationMenu(labeledScreens, { profile, super: false }, bought).map(({ section, entries }) => [
        section,
        ...entries.map(({ address }) => address),
      ])
    const work = ['/tickets', '/kanban', '/contacts', '/todolist', '/schedules', '/chats']
    const others = [
      ['automation', '/quick-messages'],
      ['admin', '/tags'],
      ['foot', '/helps'],
    ]
    expect(groups('user')).toEqual([['work', '/figures', ...work], ...others])
    expect(groups('supervisor')).toEqual([['work', '/figures', '/live', ...work], ...others])
  })

  test('shows admins the administration, but not the platform', () => {
    expect(addresses('admin')).toEqual(expect.arrayContaining(['/settings', '/connections', '/phone']))
    expect(addresses('admin')).not.toContain('/announcements')
    expect(addresses('admin', true)).toContain('/announcements')
  })

  test('shows at most three screens on the phone, tickets first', () => {
    const menu = buildNavigationMenu(labeledScreens, { profile: 'admin', super: false }, bought)
    const shown = bottomBarEntries(menu).map((entry) => entry.address)
    expect(shown).toEqual(['/tickets', '/chats', '/contacts', '/quick-messages'].filter(hasScreenAt).slice(0, 3))
  })
})

const labeledScreen = (path: LabeledScreen['path'], more: Partial<LabeledScreen> = {}, order = 10): LabeledScreen => ({
  ...{ path, name: { es: path, pt: path, en: path }, page: () => null },
  menu: { section: 'work', order, icon: IconTags },
  ...more,
})

test('hides screens the plan does not include, also while the plan is unknown', () => {
  const kanban = labeledScreen('/kanban', { gate: { plan: 'useKanban' } })
  for (const plan of [{}, null]) expect(addresses('admin', true, plan, [kanban])).toEqual([])
  expect(addresses('user', false, { useKanban: true }, [kanban])).toEqual(['/kanban'])
})

test('hides screens disabled for the company at login, such as campaigns', () => {
  const ours = ['/campaigns', '/contact-lists', '/campaigns-config']
  const shown = () => addresses('admin').filter((address) => ours.includes(address))
  vi.stubGlobal('localStorage', { getItem: () => null })
  expect(shown()).toEqual([])
  vi.stubGlobal('localStorage', { getItem: (key: string) => (key === 'cshow' ? 'null' : null) })
  expect(shown()).toEqual(ours)
  vi.unstubAllGlobals()
})

test('omits screens without a menu position, and sections without screens', () => {
  const of = [
    labeledScreen('/b', {}, 20),
    labeledScreen('/a/{-$id}'),
    { path: '/report', name: labeledScreen('/c').name, page: () => null } as const,
  ]
  expect(addresses('user', false, null, of)).toEqual(['/a', '/b'])
  expect(buildNavigationMenu(of, { profile: 'user', super: false }, null).map((group) => group.section)).toEqual([
    'work',
  ])
})

test('assigns a URL to the screen that owns its path or a prefix of the path', () => {
  expect(isScreenPath('/tickets', '/tickets')).toBe(true)
  expect(isScreenPath('/tickets', '/tickets/7')).toBe(true)
  expect(isScreenPath('/tickets', '/tickets-old')).toBe(false)
  expect(isScreenPath('/', '/tickets')).toBe(false)
})
