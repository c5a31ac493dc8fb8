import { ActionIcon, Button, Skeleton, Switch, TextInput, Tooltip } from '@mantine/core'
import type { Holiday } from '@recado/contract/hours/hours'
import { topics } from '@recado/contract/live'
import { settingsApi } from '@recado/contract/settings'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import { useLive, useResync } from '../../lib/live.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { put, useAgain } from '../../lib/told.ts'
import { DateField } from '../../records/fields/date-field.tsx'
import { useLeaveGuard } from '../../records/use-leave-guard.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { FieldError } from '../../ui/text-field.tsx'
import { holidayTexts } from './holiday-texts.ts'
import { bodyOf, type Day, daysOf, newDay, problemsOf } from './holidays.ts'
import classes from './settings.module.css'
import { texts } from './texts.ts'

const key = ['holidays']

/** The days on which nobody works. */
export function HolidaysTab() {
  const words = useTexts(texts)
  const { line } = useTexts(holidayTexts)
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(settingsApi.holidays, {}, { signal }),
    // It is told when it changes, but not to screens that read it without listening.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnMount: 'always',
    gcTime: 0,
  })
  const client = useQueryClient()
  useLive(topics.holidays, ({ holidays }) => put(client, key, holidays))
  useResync(useAgain(key))
  if (query.isError) return <ErrorState title={words.failed} error={query.error} onRetry={() => void query.refetch()} />
  return (
    <div className={classes.scroll}>
      <div className={classes.hours}>
        <p className={classes.lead}>{line}</p>
        {query.isPending ? <Skeleton height={120} radius={12} /> : <Days stored={query.data} />}
      </div>
    </div>
  )
}

function Days({ stored }: { stored: Holiday[] }) {
  const words = useTexts(holidayTexts)
  const client = useQueryClient()
  const [days, setDays] = useState(() => daysOf(stored))
  /** What the form began with. */
  const [base, setBase] = useState(stored)
  const [tried, setTried] = useState(false)
  const [saving, setSaving] = useState(false)
  const body = bodyOf(days)
  const problems = problemsOf(days)
  const touched = JSON.stringify(body) !== JSON.stringify(bodyOf(daysOf(base))) || body.length < days.length
  useLeaveGuard(() => touched)
  const take = (holidays: Holiday[]) => {
    setBase(holidays)
    setDays(daysOf(holidays))
    setTried(false)
  }
  // Somebody else saved theirs: it shows at once, unless this list is being edited, which must not change under the pen.
  if (stored !== base && !touched && !saving) take(stored)
  const save = async () => {
    setTried(true)
    if (problems.some(Boolean)) return
    setSaving(true)
    try {
      const saved = await call(settingsApi.setHolidays, { body: { holidays: body } })
      put(client, key, saved)
      take(saved)
      toast.ok(words.saved)
    } catch (error) {
      toast.error(error)
    } finally {
      setSaving(false)
    }
  }
  return (
    <>
      {stored !== base && touched && !saving && (
        <Notice kind="warn">
          {words.changed}{' '}
          <Button size="xs" variant="default" onClick={() => take(stored)}>
            {words.takeTheirs}
          </Button>
        </Notice>
      )}
      {days.length === 0 && <p className={classes.noDays}>{words.none}</p>}
      {days.length > 0 && (
        <ul className={classes.list}>
          {days.map((day, i) => (
            <OneDay
              key={day.key}
              day={day}
              place={i + 1}
              problem={tried ? (problems[i] ?? null) : null}
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
          onClick={() => setDays([...days, newDay()])}
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
  day: Day
  place: number
  problem: 'missing' | 'twice' | null
  onChange: (part: Partial<Day>) => void
  onRemove: () => void
}
function OneDay({ day, place, problem, onChange, onRemove }: OneProps) {
  const words = useTexts(holidayTexts)
  const remove = words.remove(day.name || words.aDay(place))
  return (
    <li className={classes.holiday}>
      <div>
        <DateField
          aria-label={words.day(place)}
          value={day.day}
          error={problem && <FieldError>{words[problem]}</FieldError>}
          onChange={(next) => onChange({ day: next })}
        />
      </div>
      <TextInput
        aria-label={words.name(place)}
        placeholder={words.nameHint}
        maxLength={60}
        autoComplete="off"
        value={day.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Switch
        aria-label={words.yearlyOf(place)}
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
