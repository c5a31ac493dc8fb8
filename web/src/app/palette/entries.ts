import type { ReactNode } from 'react'
import type { ShortcutKeys } from '../../lib/shortcut-keys.ts'
import { isPaletteMatch } from './matching.ts'

export type PaletteEntry = {
  id: string
  label: string
  icon: ReactNode
  run: () => void
  /** Additional information, shown on the right. */
  aside?: string
  keys?: ShortcutKeys
  /** Whether the action does not navigate, so that the focus returns to where it was. */
  staysHere?: true
}
export type PaletteGroup = { name: string; entries: PaletteEntry[] }

/** The groups with entries that match the query. */
export const filterGroups = (groups: PaletteGroup[], query: string): PaletteGroup[] =>
  groups
    .map(({ name, entries }) => ({ name, entries: entries.filter((entry) => isPaletteMatch(entry.label, query)) }))
    .filter(({ entries }) => entries.length > 0)

/** The next entry for an arrow key, wrapping around. */
export function nextEntryId(ids: string[], at: string | null, by: 1 | -1): string | null {
  if (ids.length === 0) return null
  const index = at === null ? -1 : ids.indexOf(at)
  const next = index < 0 ? (by > 0 ? 0 : ids.length - 1) : (index + by + ids.length) % ids.length
  return ids[next] ?? null
}
