import { Button, Select, Stack } from '@mantine/core'
import { useTexts } from '../../lib/texts.ts'
import { ContactSearch } from '../../parts/new-ticket/contact-search.tsx'
import { texts } from '../../parts/schedule/texts.ts'
import { useAllUsers } from '../../parts/select-option-queries.ts'
import { filterSelectOptions, toSelectOptions } from '../../ui/select-options.ts'
import { type ScheduleDisplayState, scheduleDisplayStates } from './schedule-state.ts'
import { countActiveFilters, emptyScheduleFilter, type ScheduleFilter } from './use-schedule-view.ts'

type Props = { filter: ScheduleFilter; onChange: (change: Partial<ScheduleFilter>) => void }

export function ScheduleFilterFields({ filter, onChange }: Props) {
  const words = useTexts(texts)
  const people = useAllUsers()
  const within = { comboboxProps: { withinPortal: false } }
  return (
    <Stack gap="sm">
      <Select
        {...within}
        label={words.state}
        placeholder={words.any}
        clearable
        data={scheduleDisplayStates.map((state) => ({ value: state, label: words.states[state] }))}
        value={filter.state}
        onChange={(state) => onChange({ state: state as ScheduleDisplayState | null })}
      />
      <Select
        {...within}
        label={words.agent}
        placeholder={words.anyAgent}
        clearable
        searchable
        filter={filterSelectOptions}
        data={toSelectOptions(people.data ?? [])}
        value={filter.userId === null ? null : String(filter.userId)}
        onChange={(id) => onChange({ userId: id === null ? null : Number(id) })}
      />
      <ContactSearch contact={filter.person} isMissing={false} optional onChange={(person) => onChange({ person })} />
      <Button
        variant="default"
        disabled={countActiveFilters(filter) === 0}
        onClick={() => onChange(emptyScheduleFilter)}
      >
        {words.clearFilters}
      </Button>
    </Stack>
  )
}
