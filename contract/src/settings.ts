import { z } from 'zod'
import { bodyLimitBytes, get, isoDateTime, put } from './endpoint.ts'
import { Holiday } from './hours/hours.ts'

const onOff = ['disabled', 'enabled'] as const
type SettingKind =
  | { values: readonly string[] }
  | { secret: true }
  | { zone: true }
  | { words: true }
  | { whole: true }
  | { lines: number; lineLength: number }
/** Automatic texts in the company's own wording; empty: Recado's default text in the company's language. */
const customTextSetting = { words: true, default: '' } as const
type SettingDefinition = SettingKind & { default: string }

/** All company settings with their values and defaults. Secrets are write-only. */
export const settingDefinitions = {
  userRating: { values: onOff, default: 'disabled' },
  /** How customers rate: from 1 to 3, from 1 to 5, or from 0 to 10. */
  ratingScale: { values: ['3', '5', '10'], default: '3' },
  /** After the number, the customer is asked once for a comment. */
  ratingComment: { values: onOff, default: 'disabled' },
  scheduleType: { values: ['disabled', 'queue', 'company'], default: 'disabled' },
  CheckMsgIsGroup: { values: onOff, default: 'enabled' },
  call: { values: onOff, default: 'disabled' },
  chatBotType: { values: ['text'], default: 'text' },
  sendGreetingAccepted: { values: onOff, default: 'disabled' },
  sendMsgTransfTicket: { values: onOff, default: 'disabled' },
  sendGreetingMessageOneQueues: { values: onOff, default: 'disabled' },
  /** Minutes after closing in which a new message reopens the same ticket; 0 always creates a new one. */
  autoReopenTimeout: { values: ['0', '15', '30', '60', '120', '240', '720', '1440'], default: '0' },
  campaignsEnabled: { values: ['true', 'false'], default: 'false' },
  language: { values: ['es', 'pt', 'en'], default: 'es' },
  timezone: { zone: true, default: 'America/Sao_Paulo' },
  /** Hours after closing in which a number counts as the answer to the rating question. */
  ratingWindow: { values: ['1', '6', '12', '24', '48', '72'], default: '24' },
  /** Hours after its due time in which a scheduled message is still sent, after an outage of the server or the line. */
  scheduleLateHours: { values: ['1', '3', '6', '12', '24'], default: '12' },
  /** The server reads the title of pages that messages link to. */
  linkPreviews: { values: onOff, default: 'enabled' },
  /** Two-factor login is required of all users. */
  twoFactor: { values: onOff, default: 'disabled' },
  /** How many sessions a user has: one, one on a computer and one on a phone, or several. */
  sessionsPerUser: { values: ['one', 'device', 'several'], default: 'device' },
  /** Maximum tokens per day for all prompts of the company; 0: no limit. When the limit is reached, agents take over. */
  machineDailyTokens: { whole: true, default: '0' },
  acceptedText: customTextSetting,
  transferQueueText: customTextSetting,
  transferUserText: customTextSetting,
  /** Text of a transfer to a person in another queue; it names the person and the queue. */
  transferBothText: customTextSetting,
  callText: customTextSetting,
  menuText: customTextSetting,
  wrongAnswerText: customTextSetting,
  handOverText: customTextSetting,
  outOfHoursText: customTextSetting,
  ratingText: customTextSetting,
  ratingAgainText: customTextSetting,
  /** Months after which messages and their files are deleted; 0: never. Messages of tickets that are not closed stay. */
  retentionMonths: { values: ['0', '3', '6', '12', '24', '36', '60'], default: '0' },
  /** The onboarding checklist: shown, reduced to a small chip, or finished. */
  firstSteps: { values: ['open', 'chip', 'done'], default: 'open' },
  /** What people on a break can say they do: one reason per line. */
  breakReasons: { lines: 12, lineLength: 40, default: '' },
  /** Minutes without any activity after which an available user is set to away; 0: never. */
  awayAfterMinutes: { values: ['0', '5', '10', '15', '20', '30', '60'], default: '0' },
  asaas: { secret: true, default: '' },
} as const satisfies Record<string, SettingDefinition>

export type SettingKey = keyof typeof settingDefinitions
/** The setting keys that hold a company's own wording. */
export type WordingKey = {
  [K in SettingKey]: (typeof settingDefinitions)[K] extends { words: true } ? K : never
}[SettingKey]
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingDefinitions, key)

/** Placeholder for a stored secret. A client that sends it back, unchanged or with characters added, keeps the stored value. */
export const secretMask = '••••••••'
/** Whether the value is the mask, or the mask edited by the user: no real key contains its character. */
export const isMaskedSecret = (value: string): boolean => value.includes(secretMask.charAt(0))

export function isTimeZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

/** The entries of a setting with one entry per line. */
export const splitLines = (value: string): string[] => (value === '' ? [] : value.split('\n'))
const isValidList = (entries: string[], kind: { lines: number; lineLength: number }): boolean =>
  entries.length <= kind.lines &&
  new Set(entries).size === entries.length &&
  entries.every((entry) => entry !== '' && entry === entry.trim() && entry.length <= kind.lineLength)

export function isValidSetting(key: SettingKey, value: string): boolean {
  const kind: SettingKind = settingDefinitions[key]
  if ('values' in kind) return kind.values.includes(value)
  if ('words' in kind) return true
  if ('lines' in kind) return isValidList(splitLines(value), kind)
  if ('whole' in kind) return /^\d{1,10}$/.test(value)
  return 'zone' in kind ? isTimeZone(value) : value.length <= 500
}

export const Setting = z.object({ key: z.string(), value: z.string() })
export type Setting = z.infer<typeof Setting>

/** Data that would be deleted. */
export const RetentionPreview = z.object({
  /** Everything older than this moment would be deleted. */
  before: isoDateTime,
  messages: z.number(),
  files: z.number(),
  /** Number of tickets that these messages belong to. */
  tickets: z.number(),
  /** Whether the count stopped at its limit, so that there are more. */
  more: z.boolean(),
})
export type RetentionPreview = z.infer<typeof RetentionPreview>

/** The onboarding steps. A step is done when it works for customers, not when a row exists. */
export const FirstStepsState = z.object({
  /** A line is connected. */
  line: z.boolean(),
  /** Customers of a connected line reach a queue. */
  queue: z.boolean(),
  /** Somebody besides the first user can log in and sees tickets. */
  people: z.boolean(),
  /** Somebody besides the first user has answered a customer. */
  answered: z.boolean(),
})
export type FirstStepsState = z.infer<typeof FirstStepsState>

/** What the super user of a new server still has to do. */
export const PlatformStepsState = z.object({
  /** The caller has replaced the password of the first start. */
  passwordChanged: z.boolean(),
  /** There is a company besides the platform's own. */
  company: z.boolean(),
  /** The server knows its public address (PUBLIC_URL). */
  publicUrl: z.boolean(),
  /** The server sends mail (SMTP_URL). */
  mail: z.boolean(),
})
export type PlatformStepsState = z.infer<typeof PlatformStepsState>

export const settingsApi = {
  list: get('/settings', {
    about: 'Every setting of the company; secrets are masked',
    access: 'session',
    reply: z.array(Setting),
  }),
  show: get('/settings/:key', {
    about: 'One setting of the company; an unknown one is empty, a secret is masked',
    access: 'session',
    params: z.object({ key: z.string().max(60) }),
    reply: Setting,
  }),
  /** ticketz' client asks for its colours, logos and signup before the login. */
  showPublic: get('/public-settings/:key', {
    about: 'What a client may know before the login; empty: nothing, so the client uses its own default',
    access: 'public',
    params: z.object({ key: z.string().max(60) }),
    reply: z.string(),
  }),
  update: put('/settings/:key', {
    about: 'Change one setting',
    access: 'settings-page:edit',
    params: z.object({ key: z.string().max(60) }),
    body: z.object({
      value: z.preprocess(
        (v) => (typeof v === 'boolean' || typeof v === 'number' ? String(v) : v),
        z.string().max(4096),
      ),
    }),
    example: { key: 'userRating', value: 'enabled' },
    reply: Setting,
  }),
  retention: get('/settings/retention', {
    about:
      'Preview what would be deleted now with this retention (`retentionMonths`). Counted up to 100,000; nothing is deleted',
    access: 'settings-page:edit',
    query: z.object({ months: z.coerce.number().int().min(1).max(1200) }),
    reply: RetentionPreview,
  }),
  firstSteps: get('/first-steps', {
    about: 'Which of the first steps of a new company are done',
    access: 'settings-page:edit',
    reply: FirstStepsState,
  }),
  platformSteps: get('/platform-steps', {
    about: 'Which of the first steps of a new server are done',
    access: 'super',
    reply: PlatformStepsState,
  }),
  holidays: get('/holidays', {
    about: 'The holidays of the company',
    access: 'session',
    reply: z.array(Holiday),
  }),
  setHolidays: put('/holidays', {
    about: 'Replace the holidays of the company',
    bytes: bodyLimitBytes.longText,
    access: 'settings-page:edit',
    body: z.object({ holidays: z.array(Holiday).max(400) }),
    example: { holidays: [{ day: '2026-12-25', name: 'Navidad', yearly: true }] },
    reply: z.array(Holiday),
  }),
}
