import { z } from 'zod'

export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

/**
 * The opening time of a weekday; a day may have several. `weekday` is only shown in the form; `weekdayEn` decides the
 * day.
 */
export const Hours = z.object({
  weekday: z.string().max(40),
  weekdayEn: z.enum(weekdays),
  startTime: z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d)?$/),
  endTime: z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d)?$/),
})
export type Hours = z.infer<typeof Hours>

/**
 * Some forms send a half-typed time ("08:"), which counts as absent. A complete time is validated, also with a
 * one-digit hour.
 */
const emptyIfHalfTyped = (v: unknown) => (typeof v === 'string' && /^\d{1,2}:\d\d$/.test(v) ? v.padStart(5, '0') : '')
export const WeekHours = z
  .array(
    z.preprocess(
      (v) =>
        v && typeof v === 'object'
          ? {
              ...v,
              startTime: emptyIfHalfTyped(Reflect.get(v, 'startTime')),
              endTime: emptyIfHalfTyped(Reflect.get(v, 'endTime')),
            }
          : v,
      Hours,
    ),
  )
  .max(35)

/** A holiday, once or every year. */
export const Holiday = z.object({
  day: z.iso.date(),
  name: z.preprocess((v) => v ?? '', z.string().trim().max(60)),
  yearly: z.preprocess((v) => v === true || v === 'true', z.boolean()),
})
export type Holiday = z.output<typeof Holiday>

const weekdayNames = [
  'Segunda-feira',
  'Terça-feira',
  'Quarta-feira',
  'Quinta-feira',
  'Sexta-feira',
  'Sábado',
  'Domingo',
]
/** Monday to Friday 08:00-18:00, Saturday until 12:00, Sunday a zero-length range: closed (spec, section 9). */
export const defaultHours: Hours[] = weekdays.map((weekdayEn, i) => ({
  weekday: weekdayNames[i] as string,
  weekdayEn,
  startTime: i === 6 ? '00:00' : '08:00',
  endTime: i === 6 ? '00:00' : i === 5 ? '12:00' : '18:00',
}))
