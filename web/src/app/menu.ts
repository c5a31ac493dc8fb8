import type { PlanFlag } from '@recado/contract/kit'
import { can, type Rule, type Who } from '@recado/contract/rules'
import {
  type Icon,
  IconAddressBook,
  IconBolt,
  IconCalendarEvent,
  IconCode,
  IconCreditCard,
  IconDeviceMobile,
  IconDeviceMobileMessage,
  IconFiles,
  IconHelpCircle,
  IconHierarchy,
  IconHierarchy2,
  IconLayoutDashboard,
  IconLayoutKanban,
  IconListCheck,
  IconListDetails,
  IconMessageCircle,
  IconMessages,
  IconSend,
  IconSettings,
  IconSettingsAutomation,
  IconSparkles,
  IconSpeakerphone,
  IconTags,
  IconUsers,
} from '@tabler/icons-react'
import type { MenuName } from './menu-texts.ts'

export type MenuEntry = {
  path: string
  name: MenuName
  icon: Icon
  rule?: Rule
  super?: true
  plan?: PlanFlag
  /** What may ask for attention from here. */
  alert?: 'lines' | 'unread'
}
export type MenuGroup = { name: 'work' | 'admin'; entries: MenuEntry[] }

const admin = 'drawer-admin-items:view'

/** The whole menu of spec section 2, in its order, and the test phone. An entry shows once its screen is registered in router.tsx. */
const groups: MenuGroup[] = [
  {
    name: 'work',
    entries: [
      { path: '/', name: 'dashboard', icon: IconLayoutDashboard, rule: 'dashboard:view' },
      { path: '/tickets', name: 'tickets', icon: IconMessages, alert: 'unread' },
      { path: '/kanban', name: 'kanban', icon: IconLayoutKanban, plan: 'useKanban' },
      { path: '/quick-messages', name: 'quickMessages', icon: IconBolt },
      { path: '/todolist', name: 'todoList', icon: IconListCheck },
      { path: '/contacts', name: 'contacts', icon: IconAddressBook },
      { path: '/schedules', name: 'schedules', icon: IconCalendarEvent },
      { path: '/tags', name: 'tags', icon: IconTags },
      { path: '/chats', name: 'chats', icon: IconMessageCircle },
      { path: '/helps', name: 'helps', icon: IconHelpCircle },
    ],
  },
  {
    name: 'admin',
    entries: [
      { path: '/campaigns', name: 'campaigns', icon: IconSend, rule: admin, plan: 'useCampaigns' },
      { path: '/contact-lists', name: 'contactLists', icon: IconListDetails, rule: admin, plan: 'useCampaigns' },
      {
        path: '/campaigns-config',
        name: 'campaignsConfig',
        icon: IconSettingsAutomation,
        rule: admin,
        plan: 'useCampaigns',
      },
      { path: '/announcements', name: 'announcements', icon: IconSpeakerphone, super: true },
      { path: '/prompts', name: 'prompts', icon: IconSparkles, rule: admin, plan: 'useOpenAi' },
      { path: '/queue-integration', name: 'integrations', icon: IconHierarchy, rule: admin, plan: 'useIntegrations' },
      { path: '/connections', name: 'connections', icon: IconDeviceMobile, rule: admin, alert: 'lines' },
      { path: '/phone', name: 'phone', icon: IconDeviceMobileMessage, rule: 'sandbox-page:use' },
      { path: '/files', name: 'files', icon: IconFiles, rule: admin },
      { path: '/queues', name: 'queues', icon: IconHierarchy2, rule: admin },
      { path: '/users', name: 'users', icon: IconUsers, rule: admin },
      { path: '/messages-api', name: 'messagesApi', icon: IconCode, rule: admin, plan: 'useExternalApi' },
      { path: '/financeiro', name: 'invoices', icon: IconCreditCard, rule: admin },
      { path: '/settings', name: 'settings', icon: IconSettings, rule: admin },
    ],
  },
]

type Plan = Partial<Record<PlanFlag, boolean>> | null

/** What this person finds in the menu. */
export function menuFor(who: Who, plan: Plan, exists: (path: string) => boolean): MenuGroup[] {
  const sees = (entry: MenuEntry) =>
    exists(entry.path) &&
    (!entry.super || who.super) &&
    (!entry.rule || can(who, entry.rule)) &&
    (!entry.plan || plan?.[entry.plan] === true)
  return groups
    .map(({ name, entries }) => ({ name, entries: entries.filter(sees) }))
    .filter((g) => g.entries.length > 0)
}

/** On a phone three of these stand at the bottom, beside the notices; the rest is one touch away. */
const handy = ['/tickets', '/chats', '/contacts', '/quick-messages', '/todolist', '/tags', '/helps']

export function handyEntries(menu: MenuGroup[]): MenuEntry[] {
  const entries = menu.flatMap((group) => group.entries)
  return handy.flatMap((path) => entries.find((entry) => entry.path === path) ?? []).slice(0, 3)
}

/** Whether a path belongs to an entry: /tickets/7 is in /tickets, / is only itself. */
export const isAt = (entry: MenuEntry, path: string): boolean =>
  path === entry.path || (entry.path !== '/' && path.startsWith(`${entry.path}/`))
