import { Select } from '@mantine/core'
import { useTexts } from '../../lib/texts.ts'
import classes from './contacts.module.css'
import { texts } from './texts.ts'

export type ContactFilter = { kind: 'all' | 'person' | 'group'; sortBy: 'name' | 'newest' }
export const defaultContactFilter: ContactFilter = { kind: 'all', sortBy: 'name' }

/** Filter and order of the list. */
export function ContactFilters({
  filter: shown,
  onChange,
}: {
  filter: ContactFilter
  onChange: (shown: ContactFilter) => void
}) {
  const words = useTexts(texts)
  const selectProps = {
    allowDeselect: false,
    className: classes.filter ?? '',
    comboboxProps: { shadow: 'lg' },
  } as const
  return (
    <>
      <Select
        {...selectProps}
        aria-label={words.show}
        data={[
          { value: 'all', label: words.everybody },
          { value: 'person', label: words.people },
          { value: 'group', label: words.groups },
        ]}
        value={shown.kind}
        onChange={(kind) => onChange({ ...shown, kind: kind as ContactFilter['kind'] })}
      />
      <Select
        {...selectProps}
        aria-label={words.order}
        data={[
          { value: 'name', label: words.byName },
          { value: 'newest', label: words.newestFirst },
        ]}
        value={shown.sortBy}
        onChange={(sortBy) => onChange({ ...shown, sortBy: sortBy as ContactFilter['sortBy'] })}
      />
    </>
  )
}
