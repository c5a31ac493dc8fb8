import type { JoinSide } from '@recado/contract/contact-duplicates/contact-duplicates'
import { fold } from '@recado/contract/text/fold'

/** What the two contacts have under one name. `choice`: the key under which the user chooses; null if nothing is chosen. */
export type JoinRow = { key: string; label: string; kept: string; other: string; choice: JoinChoice | null }
export type JoinChoice = { kind: 'name' } | { kind: 'email' } | { kind: 'field'; ids: number[] }

/** Own fields by name, the names of the first contact first. Only names that both have, with other values, need a choice. */
export function listFieldRows(kept: JoinSide, other: JoinSide): JoinRow[] {
  const [own, theirs] = [kept, other].map(({ contact }) => Map.groupBy(contact.extraInfo, ({ name }) => fold(name)))
  const names = new Set([...(own?.keys() ?? []), ...(theirs?.keys() ?? [])])
  return [...names].map((name) => {
    const [mine, others] = [own?.get(name) ?? [], theirs?.get(name) ?? []]
    const [left, right] = [mine, others].map((rows) => rows.map(({ value }) => value).join(', ')) as [string, string]
    const isChoice = mine.length > 0 && others.length > 0 && left !== right
    return {
      key: `field ${name}`,
      label: (mine[0] ?? others[0])?.name ?? '',
      kept: left,
      other: right,
      choice: isChoice ? { kind: 'field', ids: others.map(({ id }) => id) } : null,
    }
  })
}

/** A value that only one of the two has is kept; of two different ones the user chooses. */
export const makeRow = (kind: 'name' | 'email', label: string, kept: string, other: string): JoinRow => ({
  key: kind,
  label,
  kept,
  other,
  choice: kept && other && kept !== other ? { kind } : null,
})
