import { Button, Select, Stack } from '@mantine/core'
import { useTexts } from '../../lib/texts.ts'
import { ContactSearch } from '../../parts/new-ticket/contact-search.tsx'
import { useEveryone } from '../../parts/use-choices.ts'
import { foundOptions, optionsOf } from '../../ui/options.ts'
import { type State, states } from './state.ts'
import { texts } from './texts.ts'
import { chosenIn, type Filter, noFilter } from './use-view.ts'

type Props = { filter: Filter; onChange: (change: Partial<Filter>) => void }

export function Choices({ filter, onChange }: Props) {
  const words = useTexts(texts)
  const people = useEveryone()
  const within = { comboboxProps: { withinPortal: false } }
  return (
    <Stack gap="sm">
      <Select
        {...within}
        label={words.state}
        placeholder={words.any}
        clearable
        data={states.map((state) => ({ value: state, label: words.states[state] }))}
        value={filter.state}
        onChange={(state) => onChange({ state: state as State | null })}
      />
      <Select
        {...within}
        label={words.agent}
        placeholder={words.anyAgent}
        clearable
        searchable
        filter={foundOptions}
        data={optionsOf(people.data ?? [])}
        value={filter.userId === null ? null : String(filter.userId)}
        onChange={(id) => onChange({ userId: id === null ? null : Number(id) })}
      />
      <ContactSearch person={filter.person} missing={false} optional onChange={(person) => onChange({ person })} />
      <Button variant="default" disabled={chosenIn(filter) === 0} onClick={() => onChange(noFilter)}>
        {words.clearFilters}
      </Button>
    </Stack>
  )
}
