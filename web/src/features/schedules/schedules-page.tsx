import { SegmentedControl } from '@mantine/core'
import type { Schedule } from '@recado/contract/schedules/schedules'
import type { RecordNews } from '@recado/contract/topic'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { type CalendarView, calendarViews } from '../../parts/schedule/calendar.ts'
import { texts } from '../../parts/schedule/texts.ts'
import { useSettings } from '../../parts/use-settings.ts'
import { confirmDelete } from '../../records/confirm-delete.ts'
import { useFormSlot } from '../../records/use-form-slot.ts'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { deleteSchedule, sendScheduleNow, useDeleteConsequence } from './schedule-actions.ts'
import { useScheduleView } from './use-schedule-view.ts'

// The calendar does not load the list's code, and vice versa.
const ScheduleListPage = lazy(() =>
  import('./schedule-list-page.tsx').then((module) => ({ default: module.ScheduleListPage })),
)
const loadForm = () =>
  import('../../parts/schedule/schedule-form.tsx').then((module) => ({ default: module.ScheduleForm }))
const ScheduleForm = lazy(loadForm)
const ScheduleFormForContact = lazy(() =>
  import('../../parts/schedule/schedule-form.tsx').then((module) => ({ default: module.ScheduleFormForContact })),
)

const CalendarPage = lazy(() => import('./calendar-page.tsx').then((module) => ({ default: module.CalendarPage })))

export function SchedulesPage() {
  const navigate = useNavigate()
  const contactId = Number((useSearch({ strict: false }) as { contactId?: unknown }).contactId) || null
  const settings = useSettings()
  const phone = useIsPhone()
  const looking = useScheduleView()
  const { view, setView } = looking
  const zone = settings.getValue('timezone')
  const shownView = phone ? 'list' : view
  const viewSwitch = phone ? null : <ViewSwitch view={view} onChange={setView} />
  if (settings.isPending) return null
  return (
    <>
      {shownView === 'list' ? (
        <Suspense fallback={null}>
          <ScheduleListPage {...looking} zone={zone} viewSwitch={viewSwitch} />
        </Suspense>
      ) : (
        <Suspense fallback={null}>
          <ScheduleCalendar {...looking} view={shownView} zone={zone} viewSwitch={viewSwitch} />
        </Suspense>
      )}
      {contactId !== null && (
        <Suspense fallback={null}>
          <ScheduleFormForContact id={contactId} onClose={() => void navigate({ to: '/schedules', replace: true })} />
        </Suspense>
      )}
    </>
  )
}

function ViewSwitch({ view, onChange }: { view: CalendarView; onChange: (view: CalendarView) => void }) {
  const words = useTexts(texts)
  return (
    <SegmentedControl
      aria-label={words.view}
      data={calendarViews.map((one) => ({ value: one, label: words.views[one] }))}
      value={view}
      onChange={(one) => onChange(one as CalendarView)}
    />
  )
}

type CalendarProps = ReturnType<typeof useScheduleView> & { zone: string; viewSwitch: ReactNode }

function ScheduleCalendar({ view, ...looking }: CalendarProps & { view: Exclude<CalendarView, 'list'> }) {
  const words = useTexts(texts)
  const consequence = useDeleteConsequence()
  const form = useFormSlot<Schedule>()
  const applyRef = useRef<(news: RecordNews<Schedule>) => void>(() => {})
  const remove = async (row: Schedule, only = false) => {
    const done = await confirmDelete({
      words: words.words,
      name: row.contact.name,
      consequence: consequence(row, only),
      remove: () => deleteSchedule(row, only),
    })
    if (done) applyRef.current({ action: 'delete', id: row.id })
    return done
  }
  const { row } = form.slot
  return (
    <>
      <CalendarPage
        {...looking}
        view={view}
        onCreate={() => form.open(null)}
        onPointerNear={() => void loadForm()}
        actionsFor={(apply) => {
          applyRef.current = apply
          return {
            edit: form.open,
            sendNow: (one) =>
              void sendScheduleNow(one, words.goesNow).then((sent) => sent && apply({ action: 'update', row: sent })),
            remove: (one, only) => void remove(one, only),
          }
        }}
      />
      {form.used > 0 && (
        <Suspense fallback={null}>
          <ScheduleForm
            key={form.used}
            {...form.slot}
            onClose={form.close}
            onSaved={(saved, isNew) => applyRef.current({ action: isNew ? 'create' : 'update', row: saved })}
            onRemove={row ? () => remove(row) : undefined}
          />
        </Suspense>
      )}
    </>
  )
}
