import { Button, Skeleton } from '@mantine/core'
import {
  type ContactList,
  type ContactListItem,
  contactListItemsApi,
  contactListsApi,
} from '@recado/contract/campaigns/contact-lists'
import { topics } from '@recado/contract/live'
import type { Topic } from '@recado/contract/topic'
import { isFound } from '@recado/contract/words/searched'
import { IconDownload, IconFileImport, IconFilter, IconUsersGroup } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { call } from '../../../lib/api.ts'
import { useCan } from '../../../lib/can.tsx'
import { phoneNumber } from '../../../lib/format.ts'
import { useLive, useNews, useResync } from '../../../lib/live.ts'
import { useTexts } from '../../../lib/texts.ts'
import { put, useAgain } from '../../../lib/told.ts'
import { BackTitle } from '../../../parts/back-title.tsx'
import { Clip, Named, Quiet } from '../../../records/cells.tsx'
import type { Column } from '../../../records/column.ts'
import { RecordsPage } from '../../../records/records-page.tsx'
import { type Source, sourceOf } from '../../../records/use-records.ts'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { PageHeader } from '../../../ui/page-header.tsx'
import { usePhone } from '../../../ui/use-phone.ts'
import { Choices } from '../frame/choices.tsx'
import { giveExample } from '../lists/example.ts'
import { Checking } from './checking.tsx'
import { useImports } from './import/use-imports.ts'
import { texts } from './texts.ts'
import { ValidChip } from './valid-chip.tsx'

const loadForm = () => import('./item-form.tsx').then((module) => ({ default: module.ItemForm }))
const ItemForm = lazy(loadForm)
const ImportDialog = lazy(() =>
  import('./import/import-dialog.tsx').then((module) => ({ default: module.ImportDialog })),
)

type Shown = 'all' | 'true' | 'false' | 'unknown'
const said = { true: true, false: false, unknown: null } as const

const all = sourceOf(contactListItemsApi)
/** News is told of every list: what belongs to another is none of ours. */
const sourceFor = (contactListId: number, shown: Shown): Source<ContactListItem> => ({
  ...all,
  name: `${all.name} ${contactListId} ${shown}`,
  page: async (asked, signal) => {
    const query = { ...asked, contactListId, ...(shown !== 'all' && { valid: shown }) }
    const { contacts, count, hasMore } = await call(contactListItemsApi.list, { query }, signal ? { signal } : {})
    return { rows: contacts, count, hasMore }
  },
  matches: (item, search) =>
    item.contactListId === contactListId &&
    (shown === 'all' || item.isWhatsappValid === said[shown]) &&
    isFound(item, search),
})

export function ItemsPage() {
  const { contactListId } = useParams({ strict: false })
  const id = Number(contactListId)
  const list = useList(id)
  const words = useTexts(texts)
  if (list.isError) return <ErrorState error={list.error} onRetry={() => void list.refetch()} />
  if (!list.data)
    return (
      <Page>
        <PageHeader title={<BackTitle to="/contact-lists">{words.words.title}</BackTitle>} />
        <Skeleton height={20} mx={24} mt={20} width="40%" />
      </Page>
    )
  return list.data.question ? <AsQuestion list={list.data} /> : <Items key={id} list={list.data} />
}

function useList(id: number) {
  const client = useQueryClient()
  const key = ['contact-list', id]
  useNews(contactListsApi.topic, (news) => {
    if (news.action !== 'delete' && news.row.id === id) put(client, key, news.row)
  })
  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(contactListsApi.show, { params: { id } }, { signal }),
    retry: false,
  })
  useResync(useAgain(key))
  return query
}

/** It has no rows of its own: its people are looked up. */
function AsQuestion({ list }: { list: ContactList }) {
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

function Items({ list }: { list: ContactList }) {
  const words = useTexts(texts)
  const client = useQueryClient()
  const mayRemove = useCan()('contacts-page:deleteContact')
  const phone = usePhone()
  const [shown, setShown] = useState<Shown>('all')
  const source = useMemo(() => sourceFor(list.id, shown), [list.id, shown])
  const imports = useImports(list.id)
  const [dialog, setDialog] = useState({ opened: false, used: 0 })
  const reload = useMemo<Topic<unknown>>(
    () => ({ name: (c) => topics.listReload.name(c, { action: 'reload', contactListId: list.id, records: [] }) }),
    [list.id],
  )
  useLive(reload, () => void client.invalidateQueries({ queryKey: ['records', source.name] }))
  const unknown = list.contactsCount - list.validCount - list.invalidCount
  return (
    <Page>
      <PageHeader title={<BackTitle to="/contact-lists">{list.name}</BackTitle>} count={list.contactsCount}>
        {!phone && (
          <Button
            variant="subtle"
            color="gray"
            leftSection={<IconDownload size={17} stroke={1.75} />}
            onClick={() => void giveExample()}
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
      <Checking
        list={list}
        running={imports.running}
        onImport={() => setDialog(({ used }) => ({ opened: true, used: used + 1 }))}
      />
      <RecordsPage
        embedded
        source={source}
        words={{ ...words.words, title: list.name }}
        columns={useColumns()}
        nameOf={(item) => item.name || phoneNumber(item.number)}
        icon={<IconUsersGroup size={26} stroke={1.6} />}
        form={(slot) => <ItemForm {...slot} contactListId={list.id} />}
        loadForm={loadForm}
        remove={({ id }) => call(contactListItemsApi.remove, { params: { id } })}
        consequence={() => words.consequence}
        may={{ create: true, edit: () => true, remove: () => mayRemove }}
        filters={{
          draw: (
            <Choices
              label={words.show}
              value={shown}
              onChange={setShown}
              choices={[
                { key: 'all', name: words.shown.all, count: list.contactsCount },
                { key: 'true', name: words.shown.valid, count: list.validCount },
                { key: 'false', name: words.shown.invalid, count: list.invalidCount },
                { key: 'unknown', name: words.shown.unknown, count: Math.max(0, unknown) },
              ]}
            />
          ),
          narrows: shown !== 'all',
          clear: () => setShown('all'),
        }}
      />
      {dialog.used > 0 && (
        <Suspense fallback={null}>
          <ImportDialog
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

function useColumns(): Column<ContactListItem>[] {
  const words = useTexts(texts)
  const phone = usePhone()
  return [
    { key: 'name', head: words.name, card: 'title', cell: ({ name }) => <Named>{name}</Named> },
    {
      key: 'number',
      head: words.number,
      width: 210,
      card: 'line',
      cell: ({ number }) =>
        phone ? <span data-whole>{phoneNumber(number)}</span> : <Clip>{phoneNumber(number)}</Clip>,
    },
    {
      key: 'email',
      head: words.email,
      low: true,
      cell: ({ email }) => (email ? <Clip>{email}</Clip> : <Quiet>{words.noEmail}</Quiet>),
    },
    {
      key: 'valid',
      head: 'WhatsApp',
      width: 190,
      card: 'end',
      cell: ({ isWhatsappValid }) => <ValidChip valid={isWhatsappValid} brief={phone} />,
    },
  ]
}
