/** The guides that come with Recado, in the order of a first week. */
export const guideIds = [
  'first-line',
  'queue-menu',
  'invite',
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
  'queue-menu': '/queues',
  invite: '/users',
  'quick-replies': '/quick-messages',
  hours: '/settings',
  campaigns: '/campaigns',
  reports: '/',
  moving: '/contacts',
}

const guidesByFolder: Record<string, GuideId> = {
  '': 'reports',
  figures: 'reports',
  connections: 'first-line',
  phone: 'first-line',
  queues: 'queue-menu',
  prompts: 'queue-menu',
  'queue-integration': 'queue-menu',
  users: 'invite',
  'quick-messages': 'quick-replies',
  tickets: 'quick-replies',
  settings: 'hours',
  schedules: 'hours',
  campaigns: 'campaigns',
  campaign: 'campaigns',
  'campaigns-config': 'campaigns',
  'contact-lists': 'campaigns',
  files: 'campaigns',
  contacts: 'moving',
}

/** The guide behind the "?" button of a screen; null: the button leads to all guides. */
export const guideForPath = (path: string): GuideId | null => guidesByFolder[path.split('/')[1] ?? ''] ?? null
