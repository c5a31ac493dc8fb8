import { type Queue, queuesApi } from '@recado/contract/queues'
import { IconArrowDown, IconArrowUp, IconDeviceMobileMessage, IconHierarchy2 } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy } from 'react'
import { call } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { useTexts } from '../../lib/texts.ts'
import { useLines } from '../../parts/line/use-lines.ts'
import { Clip, Named, Quiet } from '../../records/cells.tsx'
import type { Column } from '../../records/column.ts'
import { contains } from '../../records/merge.ts'
import { RecordsPage } from '../../records/records-page.tsx'
import type { Source } from '../../records/use-records.ts'
import { ColorDot } from '../../ui/color-dot.tsx'
import { inOrder } from './in-order.ts'
import { OrderCell } from './order-cell.tsx'
import { texts } from './texts.ts'
import { phoneLineOf } from './try-menu.ts'
import { type Order, useOrder } from './use-order.ts'
import { weekWords } from './week-words.ts'

// The tree, the phone and what drags: opened by a click, and heavier than the table.
const loadForm = () => import('./queue-form.tsx').then((module) => ({ default: module.QueueForm }))
const QueueForm = lazy(loadForm)

const matches = contains<Queue>((queue) => queue.name)
/** All of them come at once; a company has few. */
const source: Source<Queue> = {
  name: queuesApi.list.path,
  topic: queuesApi.topic,
  matches,
  order: inOrder,
  page: async ({ searchParam }, signal) => {
    const all = await call(queuesApi.list, {}, signal ? { signal } : {})
    const rows = all.filter((queue) => matches(queue, searchParam))
    return { rows, count: rows.length, hasMore: false }
  },
}

export function QueuesPage() {
  const words = useTexts(texts)
  const mayEdit = useCan()('queues-page:edit')
  const navigate = useNavigate()
  const lines = useLines()
  const order = useOrder()
  return (
    <RecordsPage
      source={source}
      words={words.words}
      columns={columnsOf(words, mayEdit ? order : null)}
      nameOf={(queue) => queue.name}
      icon={<IconHierarchy2 size={26} stroke={1.6} />}
      form={(slot) => <QueueForm {...slot} />}
      loadForm={loadForm}
      remove={(queue) => call(queuesApi.remove, { params: { id: queue.id } })}
      consequence={() => words.consequence}
      may={{ create: mayEdit, edit: () => mayEdit, remove: () => mayEdit }}
      actions={[
        {
          key: 'up',
          label: words.moveUp,
          icon: <IconArrowUp size={16} stroke={1.75} />,
          offered: () => mayEdit,
          run: (queue) => order.step(queue, -1),
        },
        {
          key: 'down',
          label: words.moveDown,
          icon: <IconArrowDown size={16} stroke={1.75} />,
          offered: () => mayEdit,
          run: (queue) => order.step(queue, 1),
        },
        {
          key: 'try',
          label: words.tryMenu,
          icon: <IconDeviceMobileMessage size={16} stroke={1.75} />,
          offered: (queue) => phoneLineOf(lines.data ?? [], queue.id) !== undefined,
          run: (queue) =>
            void navigate({
              to: '/phone',
              search: { line: phoneLineOf(lines.data ?? [], queue.id)?.id, queue: queue.id, fresh: true } as never,
            }),
        },
      ]}
    />
  )
}

function columnsOf(words: (typeof texts)['es'], order: Order | null): Column<Queue>[] {
  return [
    { key: 'id', head: words.id, width: 72, low: true, cell: (queue) => <Quiet>{queue.id}</Quiet> },
    {
      key: 'name',
      head: words.name,
      card: 'title',
      cell: (queue) => <Named mark={<ColorDot color={queue.color} size={14} />}>{queue.name}</Named>,
    },
    { key: 'color', head: words.color, width: 100, low: true, cell: (queue) => <Quiet>{queue.color}</Quiet> },
    {
      key: 'order',
      head: words.order,
      width: 96,
      right: true,
      cell: (queue) => <OrderCell queue={queue} order={order} />,
    },
    {
      key: 'greeting',
      head: words.greeting,
      card: 'line',
      cell: (queue) =>
        queue.greetingMessage ? <Clip>{queue.greetingMessage}</Clip> : <Quiet>{words.noGreeting}</Quiet>,
    },
    {
      key: 'options',
      head: words.options,
      width: 100,
      right: true,
      low: true,
      cell: (queue) => queue.options.length || <Quiet>{words.noOptions}</Quiet>,
    },
    {
      key: 'hours',
      head: words.hours,
      width: 210,
      low: true,
      cell: (queue) => <Clip>{weekWords(queue.schedules, words)}</Clip>,
    },
  ]
}
