import type { ReactNode } from 'react'
import type { ShortcutKeys } from '../../lib/shortcut-keys.ts'
import { isPaletteMatch } from './matching.ts'

export type PaletteEntry = {
  id: string
  label: string
  icon: ReactNode
  run: () => void
  /** What else is worth knowing of it, on the right. */
  aside?: string
  keys?: ShortcutKeys
  /** Where the focus was is where it belongs afterwards. */
  staysHere?: true
}
export type PaletteGroup = { name: string; entries: PaletteEntry[] }

/** The groups that still have something, for what was typed. */
export const filterGroups = (groups: PaletteGroup[], query: string): PaletteGroup[] =>
  groups
    .map(({ name, entries }) => ({ name, entries: entries.filter((entry) => isPaletteMatch(entry.label, query)) }))
    .filter(({ entries }) => entries.length > 0)

/** Where an arrow leads: round and round. */
export function nextEntryId(ids: string[], at: string | null, by: 1 | -1): string | null {
  if (ids.length === 0) return null
  const index = at === null ? -1 : ids.indexOf(at)
  const next = index < 0 ? (by > 0 ? 0 : ids.length - 1) : (index + by + ids.length) % ids.length
  return ids[next] ?? null
}
