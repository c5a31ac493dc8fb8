import { z } from 'zod'
import { isoDateTime } from '../endpoint.ts'

/** What a report of Meta about a line on the official API is about. */
export const healthEventKinds = [
  'quality',
  'limit',
  'account',
  'alert',
  'template',
  'template-quality',
  'name',
] as const
export type HealthEventKind = (typeof healthEventKinds)[number]

/** How serious a report is. Admins are notified of `warn` and `bad`. */
export const healthLevels = ['good', 'info', 'warn', 'bad'] as const
export type HealthLevel = (typeof healthLevels)[number]

/** Meta's rating of the messages that customers got from a number; empty: not known. */
export const lineQualities = ['', 'green', 'yellow', 'red'] as const
/** The state of the account; empty: nothing is wrong. `scheduled`: Meta will close it. */
export const accountStates = ['', 'restricted', 'violation', 'scheduled', 'disabled', 'deleted', 'rejected'] as const
export const nameDecisions = ['', 'approved', 'pending', 'rejected'] as const

/** The health of a line on the official API, as Meta last reported it. */
export const LineHealth = z.object({
  /** The most serious part of the current state. */
  level: z.enum(healthLevels),
  quality: z.enum(lineQualities),
  /** How many people the business may write to first within 24 hours. Null: not known; -1: no limit. */
  messagingLimit: z.number().nullable(),
  /** How many people got a template within the last 24 hours. */
  reachedToday: z.number(),
  account: z.enum(accountStates),
  /** When a restriction ends, or when Meta will close the account. */
  accountUntil: isoDateTime.nullable(),
  nameDecision: z.enum(nameDecisions),
  updatedAt: isoDateTime,
})
export type LineHealth = z.infer<typeof LineHealth>

export const LineHealthEvent = z.object({
  id: z.number(),
  kind: z.enum(healthEventKinds),
  level: z.enum(healthLevels),
  /** The template with its language, or the display name. */
  subject: z.string(),
  value: z.string(),
  before: z.string(),
  /** Meta's code or sentence. */
  reason: z.string(),
  until: isoDateTime.nullable(),
  at: isoDateTime,
})
export type LineHealthEvent = z.infer<typeof LineHealthEvent>
