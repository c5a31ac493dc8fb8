import { type Announcement, announcementsApi } from '@recado/contract/announcements'
import {
  IconArrowDown,
  IconArrowUp,
  IconEye,
  IconEyeOff,
  IconMinus,
  IconPhoto,
  IconSpeakerphone,
} from '@tabler/icons-react'
import { lazy } from 'react'
import { callApi } from '../../lib/api.ts'
import { useIsSuper } from '../../lib/can.tsx'
import { formatDay } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { ClippedText, MutedText, TextWithIcon, TwoLineCell } from '../../records/cells.tsx'
import { RecordsPage } from '../../records/records-page.tsx'
import type { TableColumn } from '../../records/table-column.ts'
import { recordSourceOf } from '../../records/use-records.ts'
import { StatusChip } from '../../ui/status-chip.tsx'
import { texts } from './texts.ts'

const loadForm = () => import('./announcement-form.tsx').then((module) => ({ default: module.AnnouncementForm }))
const AnnouncementForm = lazy(loadForm)

const source = recordSourceOf(announcementsApi)

type AnnouncementTexts = (typeof texts)['es']

export function AnnouncementsPage() {
  const words = useTexts(texts)
  const isSuper = useIsSuper()
  return (
    <RecordsPage
      source={source}
      words={words.words}
      columns={announcementColumns(words)}
      nameOf={(announcement) => announcement.title}
      icon={<IconSpeakerphone size={26} stroke={1.6} />}
      form={(slot) => <AnnouncementForm {...slot} />}
      loadForm={loadForm}
      remove={(announcement) => callApi(announcementsApi.remove, { params: { id: announcement.id } })}
      consequence={() => words.consequence}
      permissions={{ create: isSuper, edit: () => isSuper, remove: () => isSuper }}
      hasTallRows
    />
  )
}

const announcementColumns = (words: AnnouncementTexts): TableColumn<Announcement>[] => [
  {
    key: 'title',
    head: words.heading,
    card: 'title',
    cell: ({ title, text }) => <TwoLineCell first={<ClippedText isStrong>{title}</ClippedText>} second={text} />,
  },
  {
    key: 'priority',
    head: words.priority,
    width: 130,
    card: 'end',
    cell: ({ priority }) => <PriorityChip priority={priority} words={words} />,
  },
  {
    key: 'image',
    head: words.image,
    width: 200,
    isLowPriority: true,
    cell: ({ mediaName }) =>
      mediaName ? <TextWithIcon icon={IconPhoto}>{mediaName}</TextWithIcon> : <MutedText>{words.noImage}</MutedText>,
  },
  {
    key: 'status',
    head: words.status,
    width: 140,
    cell: ({ status }) => (
      <TextWithIcon icon={status ? IconEye : IconEyeOff}>{status ? words.active : words.inactive}</TextWithIcon>
    ),
  },
  {
    key: 'createdAt',
    head: words.createdAt,
    width: 120,
    isLowPriority: true,
    cell: (row) => <MutedText>{formatDay(row.createdAt)}</MutedText>,
  },
]

/** Priority 1 is red, 2 orange, 3 grey, each with its icon and word. */
function PriorityChip({ priority, words }: { priority: number; words: AnnouncementTexts }) {
  const icon = { size: 14, stroke: 2.25, 'aria-hidden': true } as const
  if (priority === 1) {
    return (
      <StatusChip kind="danger" icon={<IconArrowUp {...icon} />}>
        {words.high}
      </StatusChip>
    )
  }
  if (priority === 2) {
    return (
      <StatusChip kind="warn" icon={<IconMinus {...icon} />}>
        {words.medium}
      </StatusChip>
    )
  }
  return (
    <StatusChip kind="off" icon={<IconArrowDown {...icon} />}>
      {words.low}
    </StatusChip>
  )
}
