import type { ReactNode } from 'react'
import type { Keys } from '../../lib/shortcut-keys.ts'
import { matches } from './matching.ts'

export type Entry = {
  id: string
  label: string
  icon: ReactNode
  run: () => void
  /** What else is worth knowing of it, on the right. */
  aside?: string
  keys?: Keys
  /** Where the focus was is where it belongs afterwards. */
  staysHere?: true
}
export type Group = { name: string; entries: Entry[] }

/** The groups that still have something, for what was typed. */
export const narrowed = (groups: Group[], query: string): Group[] =>
  groups
    .map(({ name, entries }) => ({ name, entries: entries.filter((entry) => matches(entry.label, query)) }))
    .filter(({ entries }) => entries.length > 0)

/** Where an arrow leads: round and round. */
export function stepped(ids: string[], at: string | null, by: 1 | -1): string | null {
  if (ids.length === 0) return null
  const index = at === null ? -1 : ids.indexOf(at)
  const next = index < 0 ? (by > 0 ? 0 : ids.length - 1) : (index + by + ids.length) % ids.length
  return ids[next] ?? null
}
