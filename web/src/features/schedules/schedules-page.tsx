import { SegmentedControl } from '@mantine/core'
import type { Schedule } from '@recado/contract/schedules/schedules'
import type { RecordNews } from '@recado/contract/topic'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { useTexts } from '../../lib/texts.ts'
import { useSettings } from '../../parts/use-settings.ts'
import { confirmDelete } from '../../records/confirm-delete.ts'
import { useFormSlot } from '../../records/use-form-slot.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { type View, views } from './calendar.ts'
import { gone, sendNow, useConsequence } from './deeds.ts'
import { texts } from './texts.ts'
import { useView } from './use-view.ts'

// Who looks at the calendar fetches no list, and the other way round.
const ListPage = lazy(() => import('./list-page.tsx').then((module) => ({ default: module.ListPage })))
const loadForm = () => import('./schedule-form.tsx').then((module) => ({ default: module.ScheduleForm }))
const ScheduleForm = lazy(loadForm)
const ForContact = lazy(() => import('./schedule-form.tsx').then((module) => ({ default: module.ForContact })))

const CalendarPage = lazy(() => import('./calendar-page.tsx').then((module) => ({ default: module.CalendarPage })))

export function SchedulesPage() {
  const navigate = useNavigate()
  const contactId = Number((useSearch({ strict: false }) as { contactId?: unknown }).contactId) || null
  const settings = useSettings()
  const phone = usePhone()
  const looking = useView()
  const { view, setView } = looking
  const zone = settings.chosen('timezone')
  const shown = phone ? 'list' : view
  const viewSwitch = phone ? null : <ViewSwitch view={view} onChange={setView} />
  if (settings.isPending) return null
  return (
    <>
      {shown === 'list' ? (
        <Suspense fallback={null}>
          <ListPage {...looking} zone={zone} viewSwitch={viewSwitch} />
        </Suspense>
      ) : (
        <Suspense fallback={null}>
          <Calendar {...looking} view={shown} zone={zone} viewSwitch={viewSwitch} />
        </Suspense>
      )}
      {contactId !== null && (
        <Suspense fallback={null}>
          <ForContact id={contactId} onClose={() => void navigate({ to: '/schedules', replace: true })} />
        </Suspense>
      )}
    </>
  )
}

function ViewSwitch({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  const words = useTexts(texts)
  return (
    <SegmentedControl
      aria-label={words.view}
      data={views.map((one) => ({ value: one, label: words.views[one] }))}
      value={view}
      onChange={(one) => onChange(one as View)}
    />
  )
}

type Looking = ReturnType<typeof useView> & { zone: string; viewSwitch: ReactNode }

function Calendar({ view, ...looking }: Looking & { view: Exclude<View, 'list'> }) {
  const words = useTexts(texts)
  const consequence = useConsequence()
  const form = useFormSlot<Schedule>()
  const known = useRef<(news: RecordNews<Schedule>) => void>(() => {})
  const remove = async (row: Schedule, only = false) => {
    const done = await confirmDelete({
      words: words.words,
      name: row.contact.name,
      consequence: consequence(row, only),
      remove: () => gone(row, only),
    })
    if (done) known.current({ action: 'delete', id: row.id })
    return done
  }
  const { row } = form.slot
  return (
    <>
      <CalendarPage
        {...looking}
        view={view}
        onCreate={() => form.open(null)}
        onNear={() => void loadForm()}
        deeds={(apply) => {
          known.current = apply
          return {
            edit: form.open,
            sendNow: (one) =>
              void sendNow(one, words.goesNow).then((sent) => sent && apply({ action: 'update', row: sent })),
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
            onSaved={(saved, isNew) => known.current({ action: isNew ? 'create' : 'update', row: saved })}
            onRemove={row ? () => remove(row) : undefined}
          />
        </Suspense>
      )}
    </>
  )
}
