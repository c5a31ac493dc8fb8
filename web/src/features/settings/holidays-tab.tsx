import { ActionIcon, Button, Skeleton, Switch, TextInput, Tooltip } from '@mantine/core'
import type { Holiday } from '@recado/contract/hours/hours'
import { topics } from '@recado/contract/live'
import { settingsApi } from '@recado/contract/settings'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useLiveTopic, useResync } from '../../lib/live.ts'
import { setCachedQuery, useRefetchQuery } from '../../lib/query-cache.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { DateField } from '../../records/fields/date-field.tsx'
import { useLeaveGuard } from '../../records/use-leave-guard.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { InlineNotice } from '../../ui/inline-notice.tsx'
import { FieldError } from '../../ui/text-field.tsx'
import {
  createHolidayRow,
  findHolidayProblems,
  type HolidayRowValue,
  toHolidayRows,
  toHolidaysBody,
} from './holiday-rows.ts'
import { holidayTexts } from './holiday-texts.ts'
import classes from './settings.module.css'
import { texts } from './texts.ts'

const holidaysKey = ['holidays']

/** The company's holidays. */
export function HolidaysTab() {
  const words = useTexts(texts)
  const { line } = useTexts(holidayTexts)
  const query = useQuery({
    queryKey: holidaysKey,
    queryFn: ({ signal }) => callApi(settingsApi.holidays, {}, { signal }),
    // Changes arrive as events, but data cached by a screen that does not listen may be old, so it is loaded again on
    // mount.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    gcTime: 0,
  })
  const client = useQueryClient()
  useLiveTopic(topics.holidays, ({ holidays }) => setCachedQuery(client, holidaysKey, holidays))
  useResync(useRefetchQuery(holidaysKey))
  if (query.isError) return <ErrorState title={words.failed} error={query.error} onRetry={() => void query.refetch()} />
  return (
    <div className={classes.scroll}>
      <div className={classes.hours}>
        <p className={classes.lead}>{line}</p>
        {query.isPending ? <Skeleton height={120} radius={12} /> : <HolidayList storedHolidays={query.data} />}
      </div>
    </div>
  )
}

function HolidayList({ storedHolidays }: { storedHolidays: Holiday[] }) {
  const words = useTexts(holidayTexts)
  const client = useQueryClient()
  const [days, setDays] = useState(() => toHolidayRows(storedHolidays))
  /** The initial values of the form. */
  const [base, setBase] = useState(storedHolidays)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [saving, setSaving] = useState(false)
  const body = toHolidaysBody(days)
  const problems = findHolidayProblems(days)
  const touched =
    JSON.stringify(body) !== JSON.stringify(toHolidaysBody(toHolidayRows(base))) || body.length < days.length
  useLeaveGuard(() => touched)
  const resetRows = (holidays: Holiday[]) => {
    setBase(holidays)
    setDays(toHolidayRows(holidays))
    setWasSubmitted(false)
  }
  // Another user saved: the saved list is shown at once, unless this user is editing.
  if (storedHolidays !== base && !touched && !saving) resetRows(storedHolidays)
  const save = async () => {
    setWasSubmitted(true)
    if (problems.some(Boolean)) return
    setSaving(true)
    try {
      const saved = await callApi(settingsApi.setHolidays, { body: { holidays: body } })
      setCachedQuery(client, holidaysKey, saved)
      resetRows(saved)
      toast.ok(words.saved)
    } catch (error) {
      toast.error(error)
    } finally {
      setSaving(false)
    }
  }
  return (
    <>
      {storedHolidays !== base && touched && !saving && (
        <InlineNotice kind="warn">
          {words.changed}{' '}
          <Button size="xs" variant="default" onClick={() => resetRows(storedHolidays)}>
            {words.takeTheirs}
          </Button>
        </InlineNotice>
      )}
      {days.length === 0 && <p className={classes.noDays}>{words.none}</p>}
      {days.length > 0 && (
        <ul className={classes.list}>
          {days.map((day, i) => (
            <HolidayRow
              key={day.key}
              day={day}
              index={i + 1}
              problem={wasSubmitted ? (problems[i] ?? null) : null}
              onChange={(part) => setDays(days.map((other) => (other === day ? { ...day, ...part } : other)))}
              onRemove={() => setDays(days.filter((other) => other !== day))}
            />
          ))}
        </ul>
      )}
      <div className={classes.saveRow}>
        <Button
          variant="default"
          leftSection={<IconPlus size={17} stroke={2} />}
          onClick={() => setDays([...days, createHolidayRow()])}
        >
          {words.add}
        </Button>
        <Button onClick={() => void save()} loading={saving}>
          {words.save}
        </Button>
      </div>
    </>
  )
}

type OneProps = {
  day: HolidayRowValue
  index: number
  problem: 'missing' | 'twice' | null
  onChange: (part: Partial<HolidayRowValue>) => void
  onRemove: () => void
}
function HolidayRow({ day, index, problem, onChange, onRemove }: OneProps) {
  const words = useTexts(holidayTexts)
  const remove = words.remove(day.name || words.aDay(index))
  return (
    <li className={classes.holiday}>
      <div>
        <DateField
          aria-label={words.day(index)}
          value={day.day}
          error={problem && <FieldError>{words[problem]}</FieldError>}
          onChange={(next) => onChange({ day: next })}
        />
      </div>
      <TextInput
        aria-label={words.name(index)}
        placeholder={words.nameHint}
        maxLength={60}
        autoComplete="off"
        value={day.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Switch
        aria-label={words.yearlyOf(index)}
        label={<span aria-hidden="true">{words.yearly}</span>}
        checked={day.yearly}
        onChange={(event) => onChange({ yearly: event.currentTarget.checked })}
      />
      <Tooltip label={remove}>
        <ActionIcon size={34} aria-label={remove} onClick={onRemove}>
          <IconTrash size={17} stroke={1.75} />
        </ActionIcon>
      </Tooltip>
    </li>
  )
}
