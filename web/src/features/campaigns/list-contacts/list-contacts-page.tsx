import { Button, Skeleton } from '@mantine/core'
import {
  type ContactList,
  type ContactListItem,
  contactListItemsApi,
  contactListsApi,
} from '@recado/contract/campaigns/contact-lists'
import { topics } from '@recado/contract/live'
import { isSearchMatch } from '@recado/contract/text/people-search'
import type { Topic } from '@recado/contract/topic'
import { IconDownload, IconFileImport, IconFilter, IconUsersGroup } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { callApi } from '../../../lib/api.ts'
import { useCan } from '../../../lib/can.tsx'
import { useLiveTopic, useRecordNews, useResync } from '../../../lib/live.ts'
import { setCachedQuery, useRefetchQuery } from '../../../lib/query-cache.ts'
import { useTexts } from '../../../lib/texts.ts'
import { BackTitle } from '../../../parts/back-title.tsx'
import { formatPhoneNumber } from '../../../parts/phone-number.ts'
import { ClippedText, MutedText, NameWithMark } from '../../../records/cells.tsx'
import { RecordsPage } from '../../../records/records-page.tsx'
import type { TableColumn } from '../../../records/table-column.ts'
import { type RecordSource, recordSourceOf } from '../../../records/use-records.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { useIsPhone } from '../../../ui/use-is-phone.ts'
import { downloadExampleSpreadsheet } from '../lists/download-example-spreadsheet.ts'
import { ChoiceButtons } from '../shared/choice-buttons.tsx'
import { useListImports } from './import/use-list-imports.ts'
import { ListProgress } from './list-progress.tsx'
import { texts } from './texts.ts'
import { WhatsAppValidityChip } from './whatsapp-validity-chip.tsx'

const loadForm = () => import('./list-contact-form.tsx').then((module) => ({ default: module.ListContactForm }))
const ListContactForm = lazy(loadForm)
const ListImportDialog = lazy(() =>
  import('./import/list-import-dialog.tsx').then((module) => ({ default: module.ListImportDialog })),
)

type ValidityFilter = 'all' | 'true' | 'false' | 'unknown'
const validityByFilter = { true: true, false: false, unknown: null } as const

const allItemsSource = recordSourceOf(contactListItemsApi)
/** The list and its live events. Events of all lists arrive here; events of other lists are ignored. */
const sourceFor = (contactListId: number, validity: ValidityFilter): RecordSource<ContactListItem> => ({
  ...allItemsSource,
  name: `${allItemsSource.name} ${contactListId} ${validity}`,
  page: async (asked, signal) => {
    const query = { ...asked, contactListId, ...(validity !== 'all' && { valid: validity }) }
    const { contacts, count, hasMore } = await callApi(contactListItemsApi.list, { query }, signal ? { signal } : {})
    return { rows: contacts, count, hasMore }
  },
  matches: (item, search) =>
    item.contactListId === contactListId &&
    (validity === 'all' || item.isWhatsappValid === validityByFilter[validity]) &&
    isSearchMatch(item, search),
})

export function ListContactsPage() {
  const { contactListId } = useParams({ strict: false })
  const id = Number(contactListId)
  const list = useContactList(id)
  const words = useTexts(texts)
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data)
    return (
      <Page>
        <PageHeader title={<BackTitle to="/contact-lists">{words.words.title}</BackTitle>} />
        <Skeleton height={20} mx={24} mt={20} width="40%" />
      </Page>
    )
  return list.data.question ? <SegmentListView list={list.data} /> : <ListContacts key={id} list={list.data} />
}

function useContactList(id: number) {
  const client = useQueryClient()
  const key = ['contact-list', id]
  useRecordNews(contactListsApi.topic, (news) => {
    if (news.action !== 'delete' && news.row.id === id) setCachedQuery(client, key, news.row)
  })
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => callApi(contactListsApi.show, { params: { id } }, { signal }),
    retry: false,
  })
  useResync(useRefetchQuery(key))
  return query
}

/** A list defined by a filter stores no rows: its people are looked up. */
function SegmentListView({ list }: { list: ContactList }) {
  const words = useTexts(texts)
  const navigate = useNavigate()
  return (
    <Page>
      <PageHeader title={<BackTitle to="/contact-lists">{list.name}</BackTitle>} count={list.contactsCount} />
      <EmptyState icon={<IconFilter size={26} stroke={1.6} />} title={words.questionTitle} line={words.questionLine}>
        <Button variant="default" onClick={() => void navigate({ to: '/contact-lists' })}>
          {words.toLists}
        </Button>
      </EmptyState>
    </Page>
  )
}

function ListContacts({ list }: { list: ContactList }) {
  const words = useTexts(texts)
  const client = useQueryClient()
  const mayRemove = useCan()('contacts-page:deleteContact')
  const phone = useIsPhone()
  const [validity, setValidity] = useState<ValidityFilter>('all')
  const source = useMemo(() => sourceFor(list.id, validity), [list.id, validity])
  const imports = useListImports(list.id)
  const [dialog, setDialog] = useState({ opened: false, used: 0 })
  const reload = useMemo<Topic<unknown>>(
    () => ({ name: (c) => topics.listReload.name(c, { action: 'reload', contactListId: list.id, records: [] }) }),
    [list.id],
  )
  useLiveTopic(reload, () => void client.invalidateQueries({ queryKey: ['records', source.name] }))
  const unknown = list.contactsCount - list.validCount - list.invalidCount
  return (
    <Page>
      <PageHeader title={<BackTitle to="/contact-lists">{list.name}</BackTitle>} count={list.contactsCount}>
        {!phone && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconDownload size={17} stroke={1.75} />}
            onClick={() => void downloadExampleSpreadsheet()}
          >
            {words.example}
          </Button>
        )}
        <Button
          variant="default"
          leftSection={<IconFileImport size={17} stroke={1.75} />}
          onClick={() => setDialog(({ used }) => ({ opened: true, used: used + 1 }))}
        >
          {words.import}
        </Button>
      </PageHeader>
      <ListProgress
        list={list}
        importProgress={imports.running}
        onImport={() => setDialog(({ used }) => ({ opened: true, used: used + 1 }))}
      />
      <RecordsPage
        isEmbedded
        source={source}
        words={{ ...words.words, title: list.name }}
        columns={useColumns()}
        nameOf={(item) => item.name || formatPhoneNumber(item.number)}
        icon={<IconUsersGroup size={26} stroke={1.6} />}
        form={(slot) => <ListContactForm {...slot} contactListId={list.id} />}
        loadForm={loadForm}
        remove={({ id }) => callApi(contactListItemsApi.remove, { params: { id } })}
        consequence={() => words.consequence}
        permissions={{ create: true, edit: () => true, remove: () => mayRemove }}
        filters={{
          content: (
            <ChoiceButtons
              label={words.show}
              value={validity}
              onChange={setValidity}
              choices={[
                { key: 'all', name: words.shown.all, count: list.contactsCount },
                { key: 'true', name: words.shown.valid, count: list.validCount },
                { key: 'false', name: words.shown.invalid, count: list.invalidCount },
                { key: 'unknown', name: words.shown.unknown, count: Math.max(0, unknown) },
              ]}
            />
          ),
          isActive: validity !== 'all',
          clear: () => setValidity('all'),
        }}
      />
      {dialog.used > 0 && (
        <Suspense fallback={null}>
          <ListImportDialog
            key={dialog.used}
            list={list}
            imports={imports}
            opened={dialog.opened}
            onClose={() => setDialog((before) => ({ ...before, opened: false }))}
          />
        </Suspense>
      )}
    </Page>
  )
}

function useColumns(): TableColumn<ContactListItem>[] {
  const words = useTexts(texts)
  const phone = useIsPhone()
  return [
    { key: 'name', head: words.name, card: 'title', cell: ({ name }) => <NameWithMark>{name}</NameWithMark> },
    {
      key: 'number',
      head: words.number,
      width: 210,
      card: 'line',
      cell: ({ number }) =>
        phone ? (
          <span data-whole>{formatPhoneNumber(number)}</span>
        ) : (
          <ClippedText>{formatPhoneNumber(number)}</ClippedText>
        ),
    },
    {
      key: 'email',
      head: words.email,
      isLowPriority: true,
      cell: ({ email }) => (email ? <ClippedText>{email}</ClippedText> : <MutedText>{words.noEmail}</MutedText>),
    },
    {
      key: 'valid',
      head: 'WhatsApp',
      width: 190,
      card: 'end',
      cell: ({ isWhatsappValid }) => <WhatsAppValidityChip isValid={isWhatsappValid} isShort={phone} />,
    },
  ]
}
