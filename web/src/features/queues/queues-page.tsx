import { type Queue, queuesApi } from '@recado/contract/queues'
import { IconArrowDown, IconArrowUp, IconDeviceMobileMessage, IconHierarchy2 } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy } from 'react'
import { callApi } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { useTexts } from '../../lib/texts.ts'
import { useLines } from '../../parts/line/use-lines.ts'
import { nameVariables } from '../../parts/variable-names.ts'
import { ClippedText, MutedText, NameWithMark } from '../../records/cells.tsx'
import { matchesSearchIn } from '../../records/merge-rows.ts'
import { RecordsPage } from '../../records/records-page.tsx'
import type { TableColumn } from '../../records/table-column.ts'
import type { RecordSource } from '../../records/use-records.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { compareQueues } from './compare-queues.ts'
import { findTestLineForQueue } from './find-test-line.ts'
import { formatWeekHours } from './format-week-hours.ts'
import { QueueOrderCell } from './queue-order-cell.tsx'
import { texts } from './texts.ts'
import { type ReorderQueues, useReorderQueues } from './use-reorder-queues.ts'

// The tree, the phone and drag and drop load on demand: they open on a click and are larger than the table.
const loadForm = () => import('./queue-form.tsx').then((module) => ({ default: module.QueueForm }))
const QueueForm = lazy(loadForm)

const matchesSearch = matchesSearchIn<Queue>((queue) => queue.name)
/** All queues are loaded at once, because a company has few. */
const source: RecordSource<Queue> = {
  name: queuesApi.list.path,
  topic: queuesApi.topic,
  matches: matchesSearch,
  order: compareQueues,
  page: async ({ searchParam }, signal) => {
    const all = await callApi(queuesApi.list, {}, signal ? { signal } : {})
    const rows = all.filter((queue) => matchesSearch(queue, searchParam))
    return { rows, count: rows.length, hasMore: false }
  },
}

export function QueuesPage() {
  const words = useTexts(texts)
  const mayEdit = useCan()('queues-page:edit')
  const navigate = useNavigate()
  const lines = useLines()
  const order = useReorderQueues()
  return (
    <RecordsPage
      source={source}
      words={words.words}
      columns={queueColumns(words, mayEdit ? order : null)}
      nameOf={(queue) => queue.name}
      icon={<IconHierarchy2 size={26} stroke={1.6} />}
      form={(slot) => <QueueForm {...slot} />}
      loadForm={loadForm}
      remove={(queue) => callApi(queuesApi.remove, { params: { id: queue.id } })}
      consequence={() => words.consequence}
      permissions={{ create: mayEdit, edit: () => mayEdit, remove: () => mayEdit }}
      actions={[
        {
          key: 'up',
          label: words.moveUp,
          icon: <IconArrowUp size={16} stroke={1.75} />,
          isOffered: () => mayEdit,
          run: (queue) => order.step(queue, -1),
        },
        {
          key: 'down',
          label: words.moveDown,
          icon: <IconArrowDown size={16} stroke={1.75} />,
          isOffered: () => mayEdit,
          run: (queue) => order.step(queue, 1),
        },
        {
          key: 'try',
          label: words.tryMenu,
          icon: <IconDeviceMobileMessage size={16} stroke={1.75} />,
          isOffered: (queue) => findTestLineForQueue(lines.data ?? [], queue.id) !== undefined,
          run: (queue) =>
            void navigate({
              to: '/phone',
              search: {
                line: findTestLineForQueue(lines.data ?? [], queue.id)?.id,
                queue: queue.id,
                fresh: true,
              } as never,
            }),
        },
      ]}
    />
  )
}

function queueColumns(words: (typeof texts)['es'], order: ReorderQueues | null): TableColumn<Queue>[] {
  return [
    { key: 'id', head: words.id, width: 72, isLowPriority: true, cell: (queue) => <MutedText>{queue.id}</MutedText> },
    {
      key: 'name',
      head: words.name,
      card: 'title',
      cell: (queue) => <NameWithMark mark={<ColorDot color={queue.color} size={14} />}>{queue.name}</NameWithMark>,
    },
    {
      key: 'color',
      head: words.color,
      width: 100,
      isLowPriority: true,
      cell: ({ color }) => (
        <MutedText>
          <ColorDot color={color} size={14} /> {color}
        </MutedText>
      ),
    },
    {
      key: 'order',
      head: words.order,
      width: 96,
      alignRight: true,
      cell: (queue) => <QueueOrderCell queue={queue} reorder={order} />,
    },
    {
      key: 'greeting',
      head: words.greeting,
      card: 'line',
      cell: (queue) =>
        queue.greetingMessage ? (
          <ClippedText>{nameVariables(queue.greetingMessage)}</ClippedText>
        ) : (
          <MutedText>{words.noGreeting}</MutedText>
        ),
    },
    {
      key: 'options',
      head: words.options,
      width: 100,
      alignRight: true,
      isLowPriority: true,
      cell: (queue) => queue.options.length || <MutedText>{words.noOptions}</MutedText>,
    },
    {
      key: 'hours',
      head: words.hours,
      width: 210,
      isLowPriority: true,
      cell: (queue) => <ClippedText>{formatWeekHours(queue.schedules, words)}</ClippedText>,
    },
  ]
}
