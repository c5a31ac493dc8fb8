import { type Schedule, schedulesApi } from '@recado/contract/schedules/schedules'
import { IconCalendarEvent, IconRepeat, IconSend } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { call } from '../../lib/api.ts'
import { dayTime } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { toast } from '../../lib/toast.ts'
import { Clip, Quiet, TwoLines, WithIcon } from '../../records/cells.tsx'
import type { Column } from '../../records/column.ts'
import { RecordsPage } from '../../records/records-page.tsx'
import { sourceOf } from '../../records/use-records.ts'
import { matches } from './matches.ts'
import { StateChip, useReason } from './state-chip.tsx'
import { texts } from './texts.ts'

const loadForm = () => import('./schedule-form.tsx').then((module) => ({ default: module.ScheduleForm }))
const ScheduleForm = lazy(loadForm)
const ForContact = lazy(() => import('./schedule-form.tsx').then((module) => ({ default: module.ForContact })))

const source = sourceOf(schedulesApi, { matches })

/** Once it has left, or is leaving, nothing of it can be changed. */
const isOpen = ({ status, ticketUuid }: Schedule) =>
  status === 'PENDENTE' || status === 'ERRO' || (status === 'AGENDADA' && ticketUuid === null)
const canGoNow = ({ status, heldAt }: Schedule) => status === 'ERRO' || heldAt !== null

async function sendNow({ id }: Schedule, told: string): Promise<void> {
  await call(schedulesApi.retry, { params: { id } }).then(
    () => toast.ok(told),
    (error) => toast.error(error),
  )
}

export function SchedulesPage() {
  const words = useTexts(texts)
  const navigate = useNavigate()
  const contactId = Number((useSearch({ strict: false }) as { contactId?: unknown }).contactId) || null
  return (
    <>
      <RecordsPage
        source={source}
        words={words.words}
        columns={useColumns()}
        nameOf={({ contact }) => contact.name}
        icon={<IconCalendarEvent size={26} stroke={1.6} />}
        form={(slot) => <ScheduleForm {...slot} />}
        loadForm={loadForm}
        remove={({ id }) => call(schedulesApi.remove, { params: { id }, query: {} })}
        consequence={({ repeat, sentAt }) => (sentAt ? words.keeps : repeat ? words.endsSeries : words.notSent)}
        may={{ create: true, edit: isOpen, remove: () => true }}
        tall
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
      {contactId !== null && (
        <Suspense fallback={null}>
          <ForContact id={contactId} onClose={() => void navigate({ to: '/schedules', replace: true })} />
        </Suspense>
      )}
    </>
  )
}

function useColumns(): Column<Schedule>[] {
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
          <WithIcon icon={IconRepeat}>{dayTime(sendAt)}</WithIcon>
        ) : (
          <span title={words.when}>{dayTime(sendAt)}</span>
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
