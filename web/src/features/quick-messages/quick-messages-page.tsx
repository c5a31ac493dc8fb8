import { SegmentedControl } from '@mantine/core'
import { type QuickMessage, quickMessagesApi } from '@recado/contract/quick-messages'
import { IconBolt, IconPaperclip, IconUser, IconUsers } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { callApi } from '../../lib/api.ts'
import { useTexts } from '../../lib/texts.ts'
import { nameVariables } from '../../parts/variable-names.ts'
import { ClippedText, MutedText, TextWithIcon } from '../../records/cells.tsx'
import { RecordsPage } from '../../records/records-page.tsx'
import type { TableColumn } from '../../records/table-column.ts'
import { recordSourceOf } from '../../records/use-records.ts'
import { StatusChip } from '../../ui/status-chip.tsx'
import classes from './quick-messages.module.css'
import { texts } from './texts.ts'

const loadForm = () => import('./quick-message-form.tsx').then((module) => ({ default: module.QuickMessageForm }))
const QuickMessageForm = lazy(loadForm)

const MacrosPage = lazy(() => import('./macros/macros-page.tsx'))

const source = recordSourceOf(quickMessagesApi)

/** Quick replies, and in a second view the macros. */
export function QuickMessagesPage() {
  const words = useTexts(texts)
  const navigate = useNavigate()
  const { tab } = useSearch({ strict: false }) as { tab?: unknown }
  const shown = tab === 'macros' ? 'macros' : 'replies'
  const views = (
    <SegmentedControl
      aria-label={words.show}
      data={(['replies', 'macros'] as const).map((value) => ({ value, label: words.tabs[value] }))}
      value={shown}
      onChange={(next) =>
        void navigate({
          to: '/quick-messages',
          search: (next === 'macros' ? { tab: next } : {}) as never,
          replace: true,
        })
      }
    />
  )
  if (shown === 'macros')
    return (
      <Suspense fallback={null}>
        <MacrosPage views={views} />
      </Suspense>
    )
  return (
    <RecordsPage
      views={views}
      source={source}
      words={words.words}
      columns={quickMessageColumns(words)}
      nameOf={(message) => `/${message.shortcode}`}
      icon={<IconBolt size={26} stroke={1.6} />}
      form={(slot) => <QuickMessageForm {...slot} />}
      loadForm={loadForm}
      remove={(message) => callApi(quickMessagesApi.remove, { params: { id: message.id } })}
      consequence={(message) => words.consequence(message.geral)}
      permissions={{ create: true, edit: (message) => message.editable, remove: (message) => message.editable }}
      hint={words.hint}
    />
  )
}

const quickMessageColumns = (words: (typeof texts)['es']): TableColumn<QuickMessage>[] => [
  {
    key: 'shortcode',
    head: words.shortcode,
    width: 200,
    card: 'title',
    cell: ({ shortcode, status }) => (
      <>
        <span className={classes.shortcode} title={`/${shortcode}`}>
          /{shortcode}
        </span>
        {!status && <StatusChip kind="off">{words.paused}</StatusChip>}
      </>
    ),
  },
  {
    key: 'message',
    head: words.message,
    card: 'line',
    cell: ({ message }) =>
      message ? <ClippedText>{nameVariables(message)}</ClippedText> : <MutedText>{words.noMessage}</MutedText>,
  },
  {
    key: 'attachment',
    head: words.attachment,
    width: 220,
    cell: ({ mediaName }) =>
      mediaName ? (
        <TextWithIcon icon={IconPaperclip}>{mediaName}</TextWithIcon>
      ) : (
        <MutedText>{words.noAttachment}</MutedText>
      ),
  },
  {
    key: 'scope',
    head: words.scope,
    width: 180,
    isLowPriority: true,
    cell: ({ geral, queueIds }) => (
      <TextWithIcon icon={geral ? IconUsers : IconUser}>
        {!geral ? words.onlyMe : queueIds.length > 0 ? words.ofQueues(queueIds.length) : words.everybody}
      </TextWithIcon>
    ),
  },
]
