import { Button, Skeleton } from '@mantine/core'
import { companiesApi } from '@recado/contract/companies'
import { defaultHours, type Hours } from '@recado/contract/hours/hours'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { setCachedQuery } from '../../lib/query-cache.ts'
import { useSession } from '../../lib/session.tsx'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { HoursField } from '../../parts/hours/hours-field.tsx'
import { findInvalidDay } from '../../parts/hours/week-hours.ts'
import { useLeaveGuard } from '../../records/use-leave-guard.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import classes from './settings.module.css'
import { texts } from './texts.ts'

const hoursKey = (companyId: number) => ['company', companyId, 'hours']

/** The company's opening hours, shown only when hours are company-wide (option scheduleType). */
export function OpeningHoursTab() {
  const words = useTexts(texts)
  const id = useSession().user?.companyId ?? 0
  const query = useQuery({
    // Uses its own query: data loaded by another screen may be older, and would be saved again.
    queryKey: hoursKey(id),
    queryFn: ({ signal }) => callApi(companiesApi.show, { params: { id } }, { signal }),
    // The week must not change while it is being edited.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (query.isError) {
    return <ErrorState title={words.failed} error={query.error} onRetry={() => void query.refetch()} />
  }
  return (
    <div className={classes.scroll}>
      <div className={classes.hours}>
        <p className={classes.lead}>{words.schedules.line}</p>
        {query.isPending ? (
          <Skeleton height={400} radius={12} />
        ) : (
          <WeekForm
            companyId={id}
            storedHours={query.data.schedules.length > 0 ? query.data.schedules : defaultHours}
          />
        )}
      </div>
    </div>
  )
}

function WeekForm({ companyId, storedHours }: { companyId: number; storedHours: Hours[] }) {
  const words = useTexts(texts).schedules
  const client = useQueryClient()
  const [week, setWeek] = useState(storedHours)
  const [saving, setSaving] = useState(false)
  useLeaveGuard(() => !hasSameTimes(week, storedHours))
  const save = async () => {
    const wrong = findInvalidDay(week)
    if (wrong) {
      document.querySelector<HTMLElement>(`[data-day="${wrong}"] input[aria-invalid]`)?.focus()
      return
    }
    setSaving(true)
    try {
      const saved = await callApi(companiesApi.schedules, { params: { id: companyId }, body: { schedules: week } })
      setCachedQuery(client, hoursKey(companyId), saved)
      setCachedQuery(client, ['company', companyId], saved)
      toast.ok(words.saved)
    } catch (error) {
      toast.error(error)
    } finally {
      setSaving(false)
    }
  }
  return (
    <>
      <HoursField value={week} onChange={setWeek} />
      <div className={classes.save}>
        <Button onClick={() => void save()} loading={saving}>
          {words.save}
        </Button>
      </div>
    </>
  )
}

const timesKey = (week: Hours[]) =>
  JSON.stringify(week.map((day) => [day.weekdayEn, day.startTime, day.endTime]).sort())
const hasSameTimes = (a: Hours[], b: Hours[]) => timesKey(a) === timesKey(b)
