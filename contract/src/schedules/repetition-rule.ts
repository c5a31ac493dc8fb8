import { z } from 'zod'

/**
 * When something comes again. `days` are weekdays, Monday is 0, and count for weeks; `by` counts for months: on the same
 * day, or on the same weekday of the month (the second Tuesday). It ends on a day, or after so many times, or never.
 */
export const Repetition = z.object({
  unit: z.enum(['day', 'week', 'month']),
  every: z.coerce.number().int().min(1).max(99).default(1),
  days: z.array(z.number().int().min(0).max(6)).max(7).default([]),
  by: z.enum(['day', 'weekday']).default('day'),
  until: z.iso.date().nullable().default(null),
  times: z.coerce.number().int().min(1).max(999).nullable().default(null),
  /** On days without work it is left out, and left out of the count. */
  skipOff: z.boolean().default(false),
})
export type Repetition = z.output<typeof Repetition>
