import { SegmentedControl } from '@mantine/core'
import { wallOf } from '@recado/contract/schedules/repetition'
import { type Schedule, schedulesApi } from '@recado/contract/schedules/schedules'
import type { RecordNews } from '@recado/contract/topic'
import { IconCalendarEvent, IconRepeat, IconSend } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useMemo, useRef } from 'react'
import { call } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { useSettings } from '../../parts/use-settings.ts'
import { Clip, Quiet, TwoLines, WithIcon } from '../../records/cells.tsx'
import type { Column } from '../../records/column.ts'
import { confirmDelete } from '../../records/confirm-delete.ts'
import { RecordsPage } from '../../records/records-page.tsx'
import { useFormSlot } from '../../records/use-form-slot.ts'
import { type Source, sourceOf } from '../../records/use-records.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { type View, views } from './calendar.ts'
import { matches } from './matches.ts'
import { canGoNow, isOpen } from './state.ts'
import { StateChip, useReason } from './state-chip.tsx'
import { texts } from './texts.ts'
import { asked, chosenIn, type Filter, isWanted, noFilter, useView } from './use-view.ts'

const Filters = lazy(() => import('./filters.tsx').then((module) => ({ default: module.Filters })))
const loadForm = () => import('./schedule-form.tsx').then((module) => ({ default: module.ScheduleForm }))
const ScheduleForm = lazy(loadForm)
const ForContact = lazy(() => import('./schedule-form.tsx').then((module) => ({ default: module.ForContact })))

const CalendarPage = lazy(() => import('./calendar-page.tsx').then((module) => ({ default: module.CalendarPage })))

async function sendNow({ id }: Schedule, told: string): Promise<Schedule | null> {
  try {
    const row = await call(schedulesApi.retry, { params: { id } })
    toast.ok(told)
    return row
  } catch (error) {
    toast.error(error)
    return null
  }
}
const gone = ({ id }: Schedule, only = false) => call(schedulesApi.remove, { params: { id }, query: { only } })

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
        <ListOfAll {...looking} zone={zone} viewSwitch={viewSwitch} />
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

function useConsequence() {
  const words = useTexts(texts)
  return ({ repeat, sentAt }: Schedule, only = false) =>
    sentAt ? words.keeps : only ? words.onlyThis : repeat ? words.endsSeries : words.notSent
}

function ListOfAll({ filter, setFilter, zone, viewSwitch }: Looking) {
  const words = useTexts(texts)
  const consequence = useConsequence()
  const source = useMemo(() => sourceFor(filter), [filter])
  return (
    <RecordsPage
      key={source.name}
      source={source}
      words={words.words}
      columns={useColumns(zone)}
      nameOf={({ contact }) => contact.name}
      icon={<IconCalendarEvent size={26} stroke={1.6} />}
      form={(slot) => <ScheduleForm {...slot} />}
      loadForm={loadForm}
      remove={(row) => gone(row)}
      consequence={(row) => consequence(row)}
      may={{ create: true, edit: isOpen, remove: () => true }}
      tall
      views={viewSwitch}
      filters={{
        draw: (
          <Suspense fallback={null}>
            <Filters filter={filter} onChange={setFilter} />
          </Suspense>
        ),
        narrows: chosenIn(filter) > 0,
        clear: () => setFilter(noFilter),
      }}
      hint={words.inZone(zone)}
      tone={({ status, heldAt }) => (status === 'ERRO' ? 'danger' : heldAt ? 'warn' : undefined)}
      actions={[
        {
          key: 'now',
          label: words.sendNow,
          icon: <IconSend size={17} stroke={1.75} />,
          offered: canGoNow,
          run: (row) => void sendNow(row, words.goesNow),
          direct: words.sendNowTo,
        },
      ]}
    />
  )
}

/** The same list, of those that are wanted. */
function sourceFor(filter: Filter): Source<Schedule> {
  const all = sourceOf(schedulesApi)
  const narrowed = asked(filter)
  return {
    ...all,
    name: `${all.name} ${JSON.stringify(narrowed)}`,
    matches: (row, search) => matches(row, search) && isWanted(row, filter),
    page: async (page, signal) => {
      const { schedules, ...rest } = await call(
        schedulesApi.list,
        { query: { ...page, ...narrowed } },
        signal ? { signal } : {},
      )
      return { rows: schedules, ...rest }
    },
  }
}

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

/** By the company's clocks, as in the calendar and in the form. */
function wallTime(moment: string, zone: string): string {
  const wall = wallOf(new Date(moment), zone)
  return `${wall.slice(8, 10)}/${wall.slice(5, 7)}/${wall.slice(0, 4)} ${wall.slice(11)}`
}

function useColumns(zone: string): Column<Schedule>[] {
  const words = useTexts(texts)
  const reason = useReason()
  return [
    {
      key: 'contact',
      head: words.contact,
      width: 230,
      card: 'title',
      cell: ({ contact, whatsapp }) => (
        <TwoLines first={<Clip strong>{contact.name}</Clip>} second={whatsapp?.name ?? words.noLine} />
      ),
    },
    {
      key: 'when',
      head: words.when,
      width: 190,
      card: 'line',
      cell: ({ sendAt, repeat }) =>
        repeat ? (
          <WithIcon icon={IconRepeat}>{wallTime(sendAt, zone)}</WithIcon>
        ) : (
          <span title={words.when}>{wallTime(sendAt, zone)}</span>
        ),
    },
    {
      key: 'state',
      head: words.state,
      width: 190,
      card: 'end',
      cell: (row) => <StateChip row={row} />,
    },
    {
      key: 'body',
      head: words.message,
      cell: (row) => {
        const why = reason(row)
        return why ? <TwoLines first={<Clip>{row.body}</Clip>} second={why} /> : <Clip>{row.body}</Clip>
      },
    },
    {
      key: 'user',
      head: words.agent,
      width: 170,
      low: true,
      cell: ({ user }) => (user ? <Clip>{user.name}</Clip> : <Quiet>{words.nobody}</Quiet>),
    },
  ]
}
