import { Group, MultiSelect, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { asksNothing, contactListsApi, type Question } from '@recado/contract/campaigns/contact-lists'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../../lib/api.ts'
import { useErrorText } from '../../../lib/errors.ts'
import { number } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { useTags } from '../../../parts/use-choices.ts'
import { useQueues } from '../../../parts/use-queues.ts'
import { DateField } from '../../../records/fields/date-field.tsx'
import { foundOptions, optionsOf } from '../../../ui/options.ts'
import classes from './lists.module.css'
import { texts } from './texts.ts'

type Props = { value: Question; error: ReactNode; onChange: (question: Question) => void }

/** People of whom all of this is true; how many they are is counted while it is put together. */
export function QuestionField({ value, error, onChange }: Props) {
  const words = useTexts(texts)
  const tags = useTags()
  const queues = useQueues()
  const set = (part: Partial<Question>) => onChange({ ...value, ...part })
  const ids = (chosen: string[]) => chosen.map(Number)
  const pick = { searchable: true, filter: foundOptions, comboboxProps: { shadow: 'lg' }, size: 'sm' } as const
  const field = value.field ?? { name: '', value: '' }
  const setField = (part: Partial<typeof field>) => {
    const next = { ...field, ...part }
    set({ field: next.name || next.value ? next : null })
  }
  return (
    <Stack gap="sm">
      <p className={classes.lead}>{words.allTrue}</p>
      <MultiSelect
        {...pick}
        label={words.tags}
        data={optionsOf(tags.data ?? [])}
        value={value.tagIds.map(String)}
        onChange={(chosen) => set({ tagIds: ids(chosen) })}
      />
      <MultiSelect
        {...pick}
        label={words.queues}
        data={optionsOf(queues.data ?? [])}
        value={value.queueIds.map(String)}
        onChange={(chosen) => set({ queueIds: ids(chosen) })}
      />
      <Group grow align="start" gap="sm">
        <DateField label={words.wroteFrom} value={value.wroteFrom} onChange={(wroteFrom) => set({ wroteFrom })} />
        <DateField label={words.wroteUntil} value={value.wroteUntil} onChange={(wroteUntil) => set({ wroteUntil })} />
      </Group>
      <Group grow align="start" gap="sm">
        <TextInput
          label={words.fieldName}
          maxLength={100}
          value={field.name}
          onChange={(event) => setField({ name: event.currentTarget.value })}
        />
        <TextInput
          label={words.fieldValue}
          maxLength={1000}
          value={field.value}
          onChange={(event) => setField({ value: event.currentTarget.value })}
        />
      </Group>
      <Counted question={value} />
      {error && <div className={classes.wrong}>{asksNothing(value) ? words.askSomething : error}</div>}
    </Stack>
  )
}

function Counted({ question }: { question: Question }) {
  const words = useTexts(texts)
  const errorText = useErrorText()
  const [asked] = useDebouncedValue(question, 300)
  const isAsked = !asksNothing(asked) && (asked.field === null || asked.field.name !== '')
  const found = useQuery({
    queryKey: ['list-question', asked],
    queryFn: ({ signal }) => call(contactListsApi.count, { body: asked }, { signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const { data } = found
  return (
    <div className={classes.counted} role="status" aria-busy={found.isFetching}>
      {!isAsked && words.askSomething}
      {isAsked && found.isError && errorText(found.error)}
      {isAsked && !found.isError && data && (
        <>
          <strong>{words.people(data.count, number(data.count))}</strong>
          {data.first.length > 0 && <span>{data.first.map(({ name }) => name).join(', ')}</span>}
        </>
      )}
    </div>
  )
}
