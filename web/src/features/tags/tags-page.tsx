import { type Tag, tagsApi } from '@recado/contract/tags'
import { IconLayoutKanban, IconTags } from '@tabler/icons-react'
import { lazy } from 'react'
import { callApi } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { formatNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { MutedText } from '../../records/cells.tsx'
import { RecordsPage } from '../../records/records-page.tsx'
import type { TableColumn } from '../../records/table-column.ts'
import { recordSourceOf } from '../../records/use-records.ts'
import { Chip } from '../../ui/chip.tsx'
import { ColorDot } from '../../ui/color-dot.tsx'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { texts } from './texts.ts'

const loadForm = () => import('./tag-form.tsx').then((module) => ({ default: module.TagForm }))
const TagForm = lazy(loadForm)

const source = recordSourceOf(tagsApi)

export function TagsPage() {
  const words = useTexts(texts)
  const can = useCan()
  const phone = useIsPhone()
  const columns: TableColumn<Tag>[] = [
    {
      key: 'name',
      head: words.name,
      card: 'title',
      cell: (tag) => (
        <Chip isLarge color={tag.color} title={tag.name}>
          {tag.name}
        </Chip>
      ),
    },
    {
      key: 'color',
      head: words.color,
      width: 110,
      isLowPriority: true,
      cell: ({ color }) => (
        <MutedText>
          <ColorDot color={color} size={14} /> {color}
        </MutedText>
      ),
    },
    {
      key: 'kanban',
      head: words.kanban,
      width: 220,
      isLowPriority: true,
      cell: (tag) =>
        tag.kanban === 1 && (
          <Chip icon={<IconLayoutKanban size={14} stroke={2} aria-hidden="true" />}>{words.isLane}</Chip>
        ),
    },
    {
      key: 'tickets',
      head: words.tickets,
      width: 110,
      alignRight: true,
      card: 'line',
      cell: (tag) => (phone ? words.ticketsCounted(tag.ticketsCount) : formatNumber(tag.ticketsCount)),
    },
  ]
  return (
    <RecordsPage
      source={source}
      words={words.words}
      columns={columns.filter((column) => column.key !== 'kanban' || can('tags-page:kanban'))}
      nameOf={(tag) => tag.name}
      icon={<IconTags size={26} stroke={1.6} />}
      form={(slot) => <TagForm {...slot} />}
      loadForm={loadForm}
      remove={(tag) => callApi(tagsApi.remove, { params: { id: tag.id } })}
      consequence={(tag) => words.consequence(tag.ticketsCount)}
      permissions={{ create: true, edit: () => true, remove: (tag) => tag.kanban !== 1 || can('tags-page:kanban') }}
    />
  )
}
