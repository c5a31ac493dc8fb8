/** The guides that come with Recado, in the order of a first week. */
export const guideIds = [
  'first-line',
  'test-phone',
  'queue-menu',
  'invite',
  'answer',
  'quick-replies',
  'hours',
  'campaigns',
  'reports',
  'moving',
] as const
export type GuideId = (typeof guideIds)[number]

export type Guide = {
  title: string
  /** One sentence for the card. */
  about: string
  steps: string[]
  tip: string
  /** The label of the button that leads to the screen. */
  go: string
}
export type Guides = Record<GuideId, Guide>

export const isGuideId = (value: unknown): value is GuideId => guideIds.includes(value as GuideId)

/** The screen that a guide explains. */
export const guideScreens: Record<GuideId, string> = {
  'first-line': '/connections',
  'test-phone': '/phone',
  'queue-menu': '/queues',
  invite: '/users',
  answer: '/tickets',
  'quick-replies': '/quick-messages',
  hours: '/settings',
  campaigns: '/campaigns',
  reports: '/',
  moving: '/contacts',
}

/** The guide of each screen, by the first part of its path. Null: no guide is about it, so "?" leads to all guides. */
export const guidesByFolder: Record<string, GuideId | null> = {
  '': 'reports',
  figures: 'reports',
  connections: 'first-line',
  phone: 'test-phone',
  queues: 'queue-menu',
  users: 'invite',
  tickets: 'answer',
  kanban: 'answer',
  live: 'answer',
  'quick-messages': 'quick-replies',
  settings: 'hours',
  campaigns: 'campaigns',
  campaign: 'campaigns',
  'campaigns-config': 'campaigns',
  'contact-lists': 'campaigns',
  files: 'campaigns',
  contacts: 'moving',
  announcements: null,
  chats: null,
  financeiro: null,
  health: null,
  helps: null,
  'messages-api': null,
  money: null,
  prompts: null,
  rules: null,
  flows: null,
  'queue-integration': null,
  receipt: null,
  schedules: null,
  subscription: null,
  tags: null,
  todolist: null,
}

/** The guide behind the "?" button of a screen; null: the button leads to all guides. */
export const guideForPath = (path: string): GuideId | null => guidesByFolder[path.split('/')[1] ?? ''] ?? null
