import { z } from 'zod'
import { bodyLimitBytes, get, isoDateTime, put } from './endpoint.ts'
import { Holiday } from './hours/hours.ts'

const onOff = ['disabled', 'enabled'] as const
type SettingKind = { values: readonly string[] } | { secret: true } | { zone: true } | { words: true } | { whole: true }
/** What the house says by itself, in the company's own wording; empty: in ours, in the company's language. */
const customTextSetting = { words: true, default: '' } as const
type SettingDefinition = SettingKind & { default: string }

/** Every company setting: its values and what holds while nobody chose. Secrets are written, never read back. */
export const settingDefinitions = {
  userRating: { values: onOff, default: 'disabled' },
  scheduleType: { values: ['disabled', 'queue', 'company'], default: 'disabled' },
  CheckMsgIsGroup: { values: onOff, default: 'enabled' },
  call: { values: onOff, default: 'disabled' },
  chatBotType: { values: ['text'], default: 'text' },
  sendGreetingAccepted: { values: onOff, default: 'disabled' },
  sendMsgTransfTicket: { values: onOff, default: 'disabled' },
  sendGreetingMessageOneQueues: { values: onOff, default: 'disabled' },
  /** Minutes after closing in which a new message goes on with the same ticket; 0 opens a new one each time. */
  autoReopenTimeout: { values: ['0', '15', '30', '60', '120', '240', '720', '1440'], default: '0' },
  campaignsEnabled: { values: ['true', 'false'], default: 'false' },
  language: { values: ['es', 'pt', 'en'], default: 'es' },
  timezone: { zone: true, default: 'America/Sao_Paulo' },
  /** Hours after closing in which a number still is the answer to the rating question. */
  ratingWindow: { values: ['1', '6', '12', '24', '48', '72'], default: '24' },
  /** Hours after its time in which a scheduled message is still sent, when the house or its line was away. */
  scheduleLateHours: { values: ['1', '3', '6', '12', '24'], default: '12' },
  /** Everybody logs in with a second step. */
  twoFactor: { values: onOff, default: 'disabled' },
  /** So many tokens a day for all prompts of the company; 0: no limit. At it, people take over. */
  machineDailyTokens: { whole: true, default: '0' },
  acceptedText: customTextSetting,
  transferQueueText: customTextSetting,
  transferUserText: customTextSetting,
  /** To somebody in another queue: both are named. */
  transferBothText: customTextSetting,
  callText: customTextSetting,
  menuText: customTextSetting,
  wrongAnswerText: customTextSetting,
  handOverText: customTextSetting,
  outOfHoursText: customTextSetting,
  ratingText: customTextSetting,
  ratingAgainText: customTextSetting,
  /** Months after which messages and their files are deleted; 0: never. Those of tickets that are not closed stay. */
  retentionMonths: { values: ['0', '3', '6', '12', '24', '36', '60'], default: '0' },
  /** Whether the list of what to do first has had its time. */
  firstSteps: { values: ['open', 'done'], default: 'open' },
  asaas: { secret: true, default: '' },
} as const satisfies Record<string, SettingDefinition>

export type SettingKey = keyof typeof settingDefinitions
/** The keys that hold a company's own wording. */
export type WordingKey = {
  [K in SettingKey]: (typeof settingDefinitions)[K] extends { words: true } ? K : never
}[SettingKey]
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingDefinitions, key)

/** What a secret that has a value looks like from outside. Sent back, whole or with more typed to it, it changes nothing. */
export const secretMask = '••••••••'
/** The mask, or what became of it while somebody typed into the field that shows it: no key has such a sign. */
export const isMaskedSecret = (value: string): boolean => value.includes(secretMask.charAt(0))

export function isTimeZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

export function isValidSetting(key: SettingKey, value: string): boolean {
  const kind: SettingKind = settingDefinitions[key]
  if ('values' in kind) return kind.values.includes(value)
  if ('words' in kind) return true
  if ('whole' in kind) return /^\d{1,10}$/.test(value)
  return 'zone' in kind ? isTimeZone(value) : value.length <= 500
}

export const Setting = z.object({ key: z.string(), value: z.string() })
export type Setting = z.infer<typeof Setting>

/** What would be deleted. */
export const RetentionPreview = z.object({
  /** Everything from before this moment. */
  before: isoDateTime,
  messages: z.number(),
  files: z.number(),
  /** In so many tickets. */
  tickets: z.number(),
  /** It was not counted further. */
  more: z.boolean(),
})
export type RetentionPreview = z.infer<typeof RetentionPreview>

export const settingsApi = {
  list: get('/settings', {
    about: 'Every setting of the company; secrets are masked',
    access: 'session',
    reply: z.array(Setting),
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
      'What would be deleted now if messages were kept for so many months (`retentionMonths`). Counted to 100,000; nothing is deleted by asking',
    access: 'settings-page:edit',
    query: z.object({ months: z.coerce.number().int().min(1).max(1200) }),
    reply: RetentionPreview,
  }),
  holidays: get('/holidays', {
    about: 'The days on which the company does not work',
    access: 'session',
    reply: z.array(Holiday),
  }),
  setHolidays: put('/holidays', {
    about: 'Replace the days on which the company does not work',
    bytes: bodyLimitBytes.longText,
    access: 'settings-page:edit',
    body: z.object({ holidays: z.array(Holiday).max(400) }),
    example: { holidays: [{ day: '2026-12-25', name: 'Navidad', yearly: true }] },
    reply: z.array(Holiday),
  }),
}
