import type { ComboboxItem, ComboboxParsedItem, OptionsFilter } from '@mantine/core'
import { fold } from '@recado/contract/text/fold'

type NamedRecord = { id: number; name: string }

/** Records as options of a select. */
export const toSelectOptions = (all: readonly NamedRecord[]): { value: string; label: string }[] =>
  all.map(({ id, name }) => ({ value: String(id), label: name }))

/** The options that match the input, folded as in every other search. */
export const filterSelectOptions: OptionsFilter = ({ options, search, limit }) => {
  const wanted = fold(search.trim())
  const found = (items: ComboboxItem[]) => items.filter(({ label }) => fold(label).includes(wanted)).slice(0, limit)
  return options.flatMap((one): ComboboxParsedItem[] =>
    'group' in one ? [{ ...one, items: found(one.items) }] : found([one]),
  )
}

/** All time zones of the browser, and the stored time zone even if the browser lacks it. */
export function listTimeZones(stored: string | null): string[] {
  const known = Intl.supportedValuesOf('timeZone')
  return stored === null || known.includes(stored) ? known : [stored, ...known]
}
