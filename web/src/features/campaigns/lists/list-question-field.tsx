import { Group, MultiSelect, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import {
  type ContactListQuery,
  contactListsApi,
  isEmptyContactListQuery,
} from '@recado/contract/campaigns/contact-lists'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useErrorText } from '../../../lib/errors.ts'
import { formatNumber } from '../../../lib/format.ts'
import { useTexts } from '../../../lib/texts.ts'
import { useAds, useTags } from '../../../parts/select-option-queries.ts'
import { useQueues } from '../../../parts/use-queues.ts'
import { DateField } from '../../../records/fields/date-field.tsx'
import { filterSelectOptions, toSelectOptions } from '../../../ui/select-options.ts'
import classes from './lists.module.css'
import { texts } from './texts.ts'

type Props = { value: ContactListQuery; error: ReactNode; onChange: (question: ContactListQuery) => void }

/** A list of people who match all conditions. The matches are counted while the conditions are edited. */
export function ListQuestionField({ value, error, onChange }: Props) {
  const words = useTexts(texts)
  const tags = useTags()
  const queues = useQueues()
  const ads = useAds()
  const set = (part: Partial<ContactListQuery>) => onChange({ ...value, ...part })
  const ids = (chosen: string[]) => chosen.map(Number)
  const pick = { searchable: true, filter: filterSelectOptions, comboboxProps: { shadow: 'lg' }, size: 'sm' } as const
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
        data={toSelectOptions(tags.data ?? [])}
        value={value.tagIds.map(String)}
        onChange={(chosen) => set({ tagIds: ids(chosen) })}
      />
      <MultiSelect
        {...pick}
        label={words.queues}
        data={toSelectOptions(queues.data ?? [])}
        value={value.queueIds.map(String)}
        onChange={(chosen) => set({ queueIds: ids(chosen) })}
      />
      {(ads.data?.length ?? 0) > 0 && (
        <MultiSelect
          {...pick}
          label={words.ads}
          data={toSelectOptions(ads.data ?? [])}
          value={(value.adIds ?? []).map(String)}
          onChange={(chosen) => set({ adIds: ids(chosen) })}
        />
      )}
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
      <MatchCount question={value} />
      {error && <div className={classes.wrong}>{isEmptyContactListQuery(value) ? words.askSomething : error}</div>}
    </Stack>
  )
}

function MatchCount({ question }: { question: ContactListQuery }) {
  const words = useTexts(texts)
  const errorText = useErrorText()
  const [asked] = useDebouncedValue(question, 300)
  const isAsked = !isEmptyContactListQuery(asked) && (asked.field === null || asked.field.name !== '')
  const searchQuery = useQuery({
    queryKey: ['list-question', asked],
    queryFn: ({ signal }) => callApi(contactListsApi.count, { body: asked }, { signal }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const { data } = searchQuery
  return (
    <div className={classes.counted} role="status" aria-busy={searchQuery.isFetching}>
      {!isAsked && words.askSomething}
      {isAsked && searchQuery.isError && errorText(searchQuery.error)}
      {isAsked && !searchQuery.isError && data && (
        <>
          <strong>{words.people(data.count, formatNumber(data.count))}</strong>
          {data.first.length > 0 && <span>{data.first.map(({ name }) => name).join(', ')}</span>}
        </>
      )}
    </div>
  )
}
