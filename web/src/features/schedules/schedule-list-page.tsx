import { toWallTime } from '@recado/contract/schedules/occurrences'
import { type Schedule, schedulesApi } from '@recado/contract/schedules/schedules'
import { IconCalendarEvent, IconRepeat, IconSend } from '@tabler/icons-react'
import { lazy, type ReactNode, useMemo } from 'react'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { renderScheduleText } from '../../parts/schedule/render-schedule-text.ts'
import { texts } from '../../parts/schedule/texts.ts'
import { ClippedText, MutedText, TextWithIcon, TwoLineCell } from '../../records/cells.tsx'
import { RecordsPage } from '../../records/records-page.tsx'
import type { TableColumn } from '../../records/table-column.ts'
import { type RecordSource, recordSourceOf } from '../../records/use-records.ts'
import { deleteSchedule, sendScheduleNow, useDeleteConsequence } from './schedule-actions.ts'
import { ScheduleFilters } from './schedule-filters.tsx'
import { matchesScheduleSearch } from './schedule-search.ts'
import { canEditSchedule, canSendNow } from './schedule-state.ts'
import { ScheduleStateChip, useScheduleReason } from './schedule-state-chip.tsx'
import {
  countActiveFilters,
  emptyScheduleFilter,
  matchesScheduleFilter,
  type ScheduleFilter,
  toScheduleQuery,
} from './use-schedule-view.ts'

const loadForm = () =>
  import('../../parts/schedule/schedule-form.tsx').then((module) => ({ default: module.ScheduleForm }))
const ScheduleForm = lazy(loadForm)

type Props = {
  filter: ScheduleFilter
  setFilter: (change: Partial<ScheduleFilter>) => void
  zone: string
  viewSwitch: ReactNode
}

/** The list of all scheduled messages, newest first. */
export function ScheduleListPage({ filter, setFilter, zone, viewSwitch }: Props) {
  const words = useTexts(texts)
  const consequence = useDeleteConsequence()
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
      remove={(row) => deleteSchedule(row)}
      consequence={(row) => consequence(row)}
      permissions={{ create: true, edit: canEditSchedule, remove: () => true }}
      hasTallRows
      views={viewSwitch}
      filters={{
        content: <ScheduleFilters filter={filter} onChange={setFilter} />,
        isActive: countActiveFilters(filter) > 0,
        clear: () => setFilter(emptyScheduleFilter),
      }}
      hint={words.inZone(zone)}
      tone={({ status, heldAt }) => (status === 'ERRO' ? 'danger' : heldAt ? 'warn' : undefined)}
      actions={[
        {
          key: 'now',
          label: words.sendNow,
          icon: <IconSend size={17} stroke={1.75} />,
          isOffered: canSendNow,
          run: (row) => void sendScheduleNow(row, words.goesNow),
          direct: words.sendNowTo,
        },
      ]}
    />
  )
}

/** The filtered list. */
function sourceFor(filter: ScheduleFilter): RecordSource<Schedule> {
  const all = recordSourceOf(schedulesApi)
  const narrowed = toScheduleQuery(filter)
  return {
    ...all,
    name: `${all.name} ${JSON.stringify(narrowed)}`,
    matches: (row, search) => matchesScheduleSearch(row, search) && matchesScheduleFilter(row, filter),
    page: async (page, signal) => {
      const { schedules, ...rest } = await callApi(
        schedulesApi.list,
        { query: { ...page, ...narrowed } },
        signal ? { signal } : {},
      )
      return { rows: schedules, ...rest }
    },
  }
}

/** Formats a moment in the company's time zone, as in the calendar and the form. */
function formatWallTime(moment: string, zone: string): string {
  const wall = toWallTime(new Date(moment), zone)
  return `${wall.slice(8, 10)}/${wall.slice(5, 7)}/${wall.slice(0, 4)} ${wall.slice(11)}`
}

function useColumns(zone: string): TableColumn<Schedule>[] {
  const words = useTexts(texts)
  const reason = useScheduleReason()
  return [
    {
      key: 'contact',
      head: words.contact,
      width: 230,
      card: 'title',
      cell: ({ contact, whatsapp }) => (
        <TwoLineCell
          first={<ClippedText isStrong>{contact.name}</ClippedText>}
          second={whatsapp?.name ?? words.noLine}
        />
      ),
    },
    {
      key: 'when',
      head: words.when,
      width: 190,
      card: 'line',
      cell: ({ sendAt, repeat }) =>
        repeat ? (
          <TextWithIcon icon={IconRepeat}>{formatWallTime(sendAt, zone)}</TextWithIcon>
        ) : (
          <span title={words.when}>{formatWallTime(sendAt, zone)}</span>
        ),
    },
    {
      key: 'state',
      head: words.state,
      width: 190,
      card: 'end',
      cell: (row) => <ScheduleStateChip row={row} />,
    },
    {
      key: 'body',
      head: words.message,
      cell: (row) => {
        const why = reason(row)
        const text = renderScheduleText(row, zone)
        return why ? (
          <TwoLineCell first={<ClippedText>{text}</ClippedText>} second={why} />
        ) : (
          <ClippedText>{text}</ClippedText>
        )
      },
    },
    {
      key: 'user',
      head: words.agent,
      width: 170,
      isLowPriority: true,
      cell: ({ user }) => (user ? <ClippedText>{user.name}</ClippedText> : <MutedText>{words.nobody}</MutedText>),
    },
  ]
}
