import { z } from 'zod'
import { bodyLimitBytes, get, optionalText, post, requiredText } from '../endpoint.ts'
import { WeekHours } from '../hours/hours.ts'
import { defaultKeywords } from './texts.ts'

/**
 * The choices in the form: seconds between messages, messages before a longer pause, and seconds of that pause (spec,
 * section 9).
 */
export const intervalChoices = [0, 5, 10, 15, 20] as const
export const longIntervalChoices = [0, 1, 5, 10, 15, 20, 30, 40, 60, 80, 100, 120] as const

const oneOfChoices = (choices: readonly number[]) =>
  z.coerce
    .number()
    .int()
    .refine((n) => choices.includes(n))
const wordList = z.array(requiredText(1, 40)).max(50)

export const CustomVariable = z.object({
  key: z
    .string()
    .trim()
    .regex(/^[^{}\n]{1,60}$/),
  value: optionalText(1000),
})

/** All settings. Each is optional in a write: older clients send the first four. */
export const CampaignSettings = z.object({
  messageInterval: oneOfChoices(intervalChoices),
  longerIntervalAfter: oneOfChoices(longIntervalChoices),
  greaterInterval: oneOfChoices(longIntervalChoices),
  variables: z
    .array(CustomVariable)
    .max(100)
    .refine((all) => new Set(all.map((v) => v.key)).size === all.length),
  /** When campaigns may send; null: in the company's opening hours. */
  hours: WeekHours.nullable(),
  /** Whether campaigns pause on the company's holidays. */
  daysOff: z.boolean(),
  /** Maximum messages per day on one line, all campaigns together; 0: as many as the line allows. */
  dailyLimit: z.coerce.number().int().min(0).max(100_000),
  /** After this many failures in a row the campaign needs a restart by a user; 0: never. */
  stopAfter: z.coerce.number().int().min(0).max(1000),
  /** Nobody gets a second campaign within this many days. */
  daysBetween: z.coerce.number().int().min(0).max(365),
  /** Customers with an open ticket are skipped. */
  skipOpen: z.boolean(),
  stopWords: wordList,
  startWords: wordList,
  yesWords: wordList,
  noWords: wordList,
  /** The reply to a stop word or a start word, sent once; empty: the default in the company's language. */
  stopReply: optionalText(1000),
  startReply: optionalText(1000),
})
export type CampaignSettings = z.output<typeof CampaignSettings>
export type CampaignSettingKey = keyof CampaignSettings

export const defaultCampaignSettings: CampaignSettings = {
  messageInterval: 20,
  longerIntervalAfter: 20,
  greaterInterval: 60,
  variables: [],
  hours: null,
  daysOff: true,
  dailyLimit: 0,
  stopAfter: 10,
  daysBetween: 0,
  skipOpen: true,
  stopWords: [...defaultKeywords.stopWords],
  startWords: [...defaultKeywords.startWords],
  yesWords: [...defaultKeywords.yesWords],
  noWords: [...defaultKeywords.noWords],
  stopReply: '',
  startReply: '',
}

/** For screens: every value is JSON text, because older clients call JSON.parse on all of them. */
export const CampaignSetting = z.object({ key: z.string(), value: z.string() })

export const campaignSettingsApi = {
  list: get('/campaign-settings', {
    about: 'Every campaign setting; each value is JSON in a string',
    access: 'campaigns-page:manage',
    plan: 'useCampaigns',
    reply: z.array(CampaignSetting),
  }),
  save: post('/campaign-settings', {
    about: 'Change campaign settings; absent ones stay unchanged',
    bytes: bodyLimitBytes.longText,
    access: 'campaigns-page:manage',
    plan: 'useCampaigns',
    body: z.object({ settings: CampaignSettings.partial() }),
    example: { settings: { messageInterval: 20, longerIntervalAfter: 20, greaterInterval: 60, variables: [] } },
    reply: z.array(CampaignSetting),
  }),
}
