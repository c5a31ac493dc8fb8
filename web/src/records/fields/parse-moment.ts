import { parseDay } from './parse-day.ts'

export type MomentKind = 'day' | 'time'

const isoMoment = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d:\d\d))?/

/** A stored moment as dd/MM/yyyy, with HH:mm for the kind `time`. */
export function formatMomentValue(value: string, kind: MomentKind): string {
  const [, year, month, day, time] = isoMoment.exec(value) ?? []
  if (!year) return value
  return `${day}/${month}/${year}${kind === 'time' ? ` ${time ?? '00:00'}` : ''}`
}

/**
 * Parses a typed moment: "5/3/27 9:30", "05/03/2027 0930" or a pasted ISO moment, as it is stored; null while it is
 * incomplete.
 */
export function parseMomentText(text: string, kind: MomentKind): string | null {
  const trimmed = text.trim()
  const iso = isoMoment.exec(trimmed)
  if (iso) {
    const day = parseDay(`${iso[3]}/${iso[2]}/${iso[1]}`)
    return day && (kind === 'day' ? day : iso[4] ? `${day}T${iso[4]}` : null)
  }
  if (kind === 'day') return parseDay(trimmed)
  const found = /^([^ ,]{1,20})[ ,]{1,5}(\d{1,2})(?::?(\d\d))?$/.exec(trimmed)
  const day = parseDay(found?.[1] ?? '')
  const [hour, minute] = [Number(found?.[2]), Number(found?.[3] ?? 0)]
  if (!day || !found?.[3] || hour > 23 || minute > 59) return null
  return `${day}T${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`
}
