import { wallOf } from '@recado/contract/schedules/repetition'
import { type Schedule, schedulesApi } from '@recado/contract/schedules/schedules'
import { IconCalendarEvent, IconRepeat, IconSend } from '@tabler/icons-react'
import { lazy, type ReactNode, useMemo } from 'react'
import { call } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { Clip, Quiet, TwoLines, WithIcon } from '../../records/cells.tsx'
import type { Column } from '../../records/column.ts'
import { RecordsPage } from '../../records/records-page.tsx'
import { type Source, sourceOf } from '../../records/use-records.ts'
import { gone, sendNow, useConsequence } from './deeds.ts'
import { Filters } from './filters.tsx'
import { matches } from './matches.ts'
import { canGoNow, isOpen } from './state.ts'
import { StateChip, useReason } from './state-chip.tsx'
import { texts } from './texts.ts'
import { asked, chosenIn, type Filter, isWanted, noFilter } from './use-view.ts'

const loadForm = () => import('./schedule-form.tsx').then((module) => ({ default: module.ScheduleForm }))
const ScheduleForm = lazy(loadForm)

type Props = {
  filter: Filter
  setFilter: (change: Partial<Filter>) => void
  zone: string
  viewSwitch: ReactNode
}

/** All of them, newest first. */
export function ListPage({ filter, setFilter, zone, viewSwitch }: Props) {
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
        draw: <Filters filter={filter} onChange={setFilter} />,
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
