import { Chip, Group, Input, NumberInput, SegmentedControl, Select, Stack, Switch } from '@mantine/core'
import { firstOccurrences } from '@recado/contract/schedules/occurrences'
import type { Repetition } from '@recado/contract/schedules/repetition-rule'
import { settingsApi } from '@recado/contract/settings'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { DateField } from '../../records/fields/date-field.tsx'
import { texts } from './texts.ts'

type Props = {
  value: Repetition | null
  firstDay: string
  error: ReactNode
  onChange: (rule: Repetition | null) => void
}

const noRepeat = 'none'
const defaultRepetition = {
  every: 1,
  days: [],
  by: 'day',
  until: null,
  times: null,
  skipOff: false,
} satisfies Partial<Repetition>
/** Number of dates in the preview. */
const maxShownDays = 6

/** The recurrence and its end, with a preview of the dates. */
export function RepeatField({ value, firstDay, error, onChange }: Props) {
  const words = useTexts(texts)
  const id = useId()
  const set = (part: Partial<Repetition>) => value && onChange({ ...value, ...part })
  const units = [noRepeat, 'day', 'week', 'month'] as const
  return (
    <Input.Wrapper label={words.repeat} labelElement="div" labelProps={{ id }} error={error}>
      <Stack gap="sm" role="group" aria-labelledby={id}>
        <SegmentedControl
          fullWidth
          aria-labelledby={id}
          data={units.map((unit) => ({ value: unit, label: words.units[unit] }))}
          value={value?.unit ?? noRepeat}
          onChange={(unit) =>
            onChange(unit === noRepeat ? null : { ...defaultRepetition, ...value, unit: unit as Repetition['unit'] })
          }
        />
        {value && (
          <>
            <Group gap="sm" align="end">
              <NumberInput
                label={words.every(words.unitsLong[value.unit])}
                min={1}
                max={99}
                w={150}
                value={value.every}
                onChange={(every) => set({ every: Number(every) || 1 })}
              />
              {value.unit === 'month' && (
                <Select
                  label={words.onThe}
                  allowDeselect={false}
                  data={[
                    { value: 'day', label: words.sameDay },
                    { value: 'weekday', label: words.sameWeekday },
                  ]}
                  value={value.by}
                  onChange={(by) => set({ by: by === 'weekday' ? 'weekday' : 'day' })}
                />
              )}
              <RepeatEnd value={value} firstDay={firstDay} onChange={set} />
            </Group>
            {value.unit === 'week' && (
              <Chip.Group
                multiple
                value={value.days.map(String)}
                onChange={(days) => set({ days: days.map(Number).sort() })}
              >
                <Group gap={6} role="group" aria-label={words.weekdays}>
                  {words.dayNames.map((name, n) => (
                    <Chip key={name} value={String(n)} size="xs">
                      {name}
                    </Chip>
                  ))}
                </Group>
              </Chip.Group>
            )}
            <Switch
              label={words.skipOff}
              size="sm"
              checked={value.skipOff}
              onChange={(event) => set({ skipOff: event.currentTarget.checked })}
            />
            <UpcomingDays rule={value} firstDay={firstDay} />
          </>
        )}
      </Stack>
    </Input.Wrapper>
  )
}

type EndingProps = { value: Repetition; firstDay: string; onChange: (part: Partial<Repetition>) => void }
/** `first`: the last day cannot be before the first. */
function RepeatEnd({ value, firstDay: first, onChange: set }: EndingProps) {
  const words = useTexts(texts)
  const ends = value.times !== null ? 'times' : value.until !== null ? 'until' : 'never'
  const firstDay = (first || new Date().toISOString()).slice(0, 10)
  return (
    <>
      <Select
        label={words.ends}
        allowDeselect={false}
        w={150}
        data={(['never', 'times', 'until'] as const).map((one) => ({ value: one, label: words.endings[one] }))}
        value={ends}
        onChange={(one) => set({ times: one === 'times' ? 5 : null, until: one === 'until' ? firstDay : null })}
      />
      {value.times !== null && (
        <NumberInput
          label={words.times}
          min={1}
          max={999}
          w={110}
          value={value.times}
          onChange={(times) => set({ times: Number(times) || 1 })}
        />
      )}
      {value.until !== null && (
        <DateField label={words.lastDay} value={value.until} onChange={(until) => set({ until: until ?? firstDay })} />
      )}
    </>
  )
}

function UpcomingDays({ rule, firstDay }: { rule: Repetition; firstDay: string }) {
  const words = useTexts(texts)
  const holidays = useQuery({
    queryKey: ['holidays'],
    queryFn: ({ signal }) => callApi(settingsApi.holidays, {}, { signal }),
    enabled: rule.skipOff,
  })
  const days = firstDay ? firstOccurrences(rule, firstDay, rule.skipOff ? (holidays.data ?? []) : [], maxShownDays) : []
  const text = days.map((wall) => `${Number(wall.slice(8, 10))}/${Number(wall.slice(5, 7))}`).join(' · ')
  return <Input.Description role="status">{days.length ? `${words.willGo} ${text}` : words.never}</Input.Description>
}
