import { z } from 'zod'

/**
 * A recurrence rule. `days` are weekdays (Monday is 0) and apply to weeks; `by` applies to months: the same day
 * of the month, or the same weekday of the month (the second Tuesday). It ends on a day, after a number of
 * times, or never.
 */
export const Repetition = z.object({
  unit: z.enum(['day', 'week', 'month']),
  every: z.coerce.number().int().min(1).max(99).default(1),
  days: z.array(z.number().int().min(0).max(6)).max(7).default([]),
  by: z.enum(['day', 'weekday']).default('day'),
  until: z.iso.date().nullable().default(null),
  times: z.coerce.number().int().min(1).max(999).nullable().default(null),
  /** Non-working days are skipped and not counted. */
  skipOff: z.boolean().default(false),
})
export type Repetition = z.output<typeof Repetition>
