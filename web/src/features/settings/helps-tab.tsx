import { type Help, helpsApi } from '@recado/contract/helps'
import { IconVideo } from '@tabler/icons-react'
import { lazy } from 'react'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { ClippedText, MutedText, NameWithMark } from '../../records/cells.tsx'
import { RecordsPage } from '../../records/records-page.tsx'
import type { TableColumn } from '../../records/table-column.ts'
import { recordSourceOf } from '../../records/use-records.ts'
import { helpTexts } from './help-texts.ts'

const loadForm = () => import('./help-form.tsx').then((module) => ({ default: module.HelpForm }))
const HelpForm = lazy(loadForm)

const source = recordSourceOf(helpsApi)

/** The super user manages the help videos here. */
export function HelpsTab() {
  const words = useTexts(helpTexts)
  const columns: TableColumn<Help>[] = [
    { key: 'title', head: words.heading, card: 'title', cell: (help) => <NameWithMark>{help.title}</NameWithMark> },
    {
      key: 'description',
      head: words.description,
      isLowPriority: true,
      cell: (help) => <ClippedText>{help.description}</ClippedText>,
    },
    {
      key: 'video',
      head: words.video,
      width: 180,
      card: 'line',
      cell: (help) => (help.video ? <ClippedText>{help.video}</ClippedText> : <MutedText>{words.noVideo}</MutedText>),
    },
  ]
  return (
    <RecordsPage
      isEmbedded
      source={source}
      words={words.words}
      columns={columns}
      nameOf={(help) => help.title}
      icon={<IconVideo size={26} stroke={1.6} />}
      form={(slot) => <HelpForm {...slot} />}
      loadForm={loadForm}
      remove={(help) => callApi(helpsApi.remove, { params: { id: help.id } })}
      consequence={() => words.consequence}
      permissions={{ create: true, edit: () => true, remove: () => true }}
    />
  )
}
