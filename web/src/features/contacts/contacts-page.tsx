import { type Contact, contactsApi } from '@recado/contract/contacts'
import { isSearchMatch, personSearchText } from '@recado/contract/text/people-search'
import { IconAddressBook, IconArrowMerge, IconDownload, IconEraser, IconMessagePlus } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { callApi } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { useTexts } from '../../lib/texts.ts'
import { ContactAvatar } from '../../parts/contact-avatar.tsx'
import { formatPhoneNumber } from '../../parts/phone-number.ts'
import { ClippedText, NameWithMark } from '../../records/cells.tsx'
import { compareByText } from '../../records/merge-rows.ts'
import { RecordsPage } from '../../records/records-page.tsx'
import type { TableColumn } from '../../records/table-column.ts'
import { type RecordSource, recordSourceOf } from '../../records/use-records.ts'
import { useIsPhone } from '../../ui/use-is-phone.ts'
import { type ContactFilter, ContactFilters, defaultContactFilter } from './contact-filters.tsx'
import { ContactTools } from './contact-tools.tsx'
import classes from './contacts.module.css'
import { useContactExport } from './export/use-contact-export.ts'
import { texts } from './texts.ts'
import { useStartConversation } from './use-start-conversation.tsx'

const loadForm = () =>
  import('../../parts/contact-form/contact-dialog.tsx').then((module) => ({ default: module.ContactDialog }))
const ContactDialog = lazy(loadForm)
const ContactImportDialog = lazy(() =>
  import('./import/contact-import-dialog.tsx').then((module) => ({ default: module.ContactImportDialog })),
)

const EraseContactDialog = lazy(() =>
  import('./erase/erase-contact-dialog.tsx').then((module) => ({ default: module.EraseContactDialog })),
)

const DeletedContactsDialog = lazy(() =>
  import('./deleted/deleted-contacts-dialog.tsx').then((module) => ({ default: module.DeletedContactsDialog })),
)

const DuplicatesDialog = lazy(() =>
  import('./duplicates/duplicates-dialog.tsx').then((module) => ({ default: module.DuplicatesDialog })),
)
const JoinDialog = lazy(() =>
  import('../../parts/join-contacts/join-dialog.tsx').then((module) => ({ default: module.JoinDialog })),
)

const ContactExportDialog = lazy(() =>
  import('./export/contact-export-dialog.tsx').then((module) => ({ default: module.ContactExportDialog })),
)

const allContactsSource = recordSourceOf(contactsApi)
/** The same filter and order as the server's, so that live events are inserted correctly. */
const sourceFor = ({ kind, sortBy }: ContactFilter): RecordSource<Contact> => ({
  ...allContactsSource,
  name: `${allContactsSource.name} ${kind} ${sortBy}`,
  page: async (asked, signal) => {
    const query = { ...asked, sortBy, ...(kind !== 'all' && { kind }) }
    const { contacts: rows, ...page } = await callApi(contactsApi.list, { query }, signal ? { signal } : {})
    return { rows, ...page }
  },
  matches: (contact, search) =>
    (kind === 'all' || contact.isGroup === (kind === 'group')) && isSearchMatch(contact, search),
  order:
    sortBy === 'name'
      ? compareByText<Contact>(personSearchText)
      : (a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || b.id - a.id,
})

export function ContactsPage() {
  const words = useTexts(texts)
  const can = useCan()
  const mayRemove = can('contacts-page:deleteContact')
  const mayErase = can('contacts-page:erase')
  const columns = useColumns()
  const exporting = useContactExport()
  const [filter, setFilter] = useState(defaultContactFilter)
  const source = useMemo(() => sourceFor(filter), [filter])
  const sheet = useDialog()
  const erase = useDialog()
  const deleted = useDialog()
  const duplicates = useDialog()
  const joining = useDialog()
  const [joined, setJoined] = useState<Contact | null>(null)
  const [erased, setErased] = useState<Contact | null>(null)
  const write = useStartConversation()
  return (
    <>
      <RecordsPage
        source={source}
        words={words.words}
        columns={columns}
        nameOf={displayName}
        icon={<IconAddressBook size={26} stroke={1.6} />}
        form={({ row, ...slot }) => <ContactDialog {...slot} contactId={row?.id} />}
        loadForm={loadForm}
        remove={(contact) => callApi(contactsApi.remove, { params: { id: contact.id } })}
        consequence={() => words.consequence}
        mark={(contact) => <ContactAvatar contact={contact} size={40} isGroup={contact.isGroup} />}
        actions={[
          {
            key: 'write',
            label: words.write,
            icon: <IconMessagePlus size={17} stroke={1.75} />,
            run: write.startWith,
            direct: words.writeTo,
          },
          {
            key: 'join',
            label: words.joinWithOther,
            icon: <IconArrowMerge size={17} stroke={1.75} />,
            run: (contact) => {
              setJoined(contact)
              joining.open()
            },
            isOffered: ({ isGroup }) => mayRemove && !isGroup,
          },
          {
            key: 'take',
            label: words.takeData,
            icon: <IconDownload size={17} stroke={1.75} />,
            run: (contact) =>
              void import('./erase/download-contact-data.ts').then((module) => module.downloadContactData(contact)),
            isOffered: () => mayErase,
          },
          {
            key: 'erase',
            label: words.eraseData,
            icon: <IconEraser size={17} stroke={1.75} />,
            run: (contact) => {
              setErased(contact)
              erase.open()
            },
            isOffered: () => mayErase,
          },
        ]}
        permissions={{ create: true, edit: () => true, remove: () => mayRemove }}
        filters={{
          content: <ContactFilters filter={filter} onChange={setFilter} />,
          isActive: filter.kind !== 'all',
          clear: () => setFilter({ ...filter, kind: 'all' }),
        }}
        bulkTexts={words.several}
        extraActions={({ search, count, isLowerBound }) => (
          <ContactTools
            search={search}
            count={count}
            isLowerBound={isLowerBound}
            onImportSpreadsheet={sheet.open}
            onImportAddressBook={() =>
              void import('./address-book/import-address-book.ts').then((module) => module.importAddressBook())
            }
            onExport={(wanted) => void exporting.start(wanted)}
            onShowDuplicates={mayRemove ? duplicates.open : undefined}
            onShowDeleted={can('contacts-page:restore') ? deleted.open : undefined}
          />
        )}
      />
      {write.dialog}
      {exporting.isRunning && (
        <Suspense fallback={null}>
          <ContactExportDialog onStop={exporting.stop} />
        </Suspense>
      )}
      {erased && (
        <Suspense fallback={null}>
          <EraseContactDialog key={erase.used} contact={erased} opened={erase.opened} onClose={erase.close} />
        </Suspense>
      )}
      {joined && (
        <Suspense fallback={null}>
          <JoinDialog
            key={joining.used}
            contactId={joined.id}
            otherId={null}
            opened={joining.opened}
            onClose={joining.close}
          />
        </Suspense>
      )}
      {duplicates.used > 0 && (
        <Suspense fallback={null}>
          <DuplicatesDialog key={duplicates.used} opened={duplicates.opened} onClose={duplicates.close} />
        </Suspense>
      )}
      {deleted.used > 0 && (
        <Suspense fallback={null}>
          <DeletedContactsDialog key={deleted.used} opened={deleted.opened} onClose={deleted.close} />
        </Suspense>
      )}
      {sheet.used > 0 && (
        <Suspense fallback={null}>
          <ContactImportDialog key={sheet.used} opened={sheet.opened} onClose={sheet.close} />
        </Suspense>
      )}
    </>
  )
}

const displayName = ({ name, number }: Contact) => name || formatPhoneNumber(number)

function useColumns(): TableColumn<Contact>[] {
  const words = useTexts(texts)
  const phone = useIsPhone()
  return [
    {
      key: 'name',
      head: words.name,
      card: 'title',
      cell: (contact) => (
        <NameWithMark mark={!phone && <ContactAvatar contact={contact} size={28} isGroup={contact.isGroup} />}>
          {displayName(contact)}
        </NameWithMark>
      ),
    },
    {
      key: 'number',
      head: words.number,
      width: 210,
      card: 'line',
      cell: ({ isGroup, number }) => {
        if (isGroup) return words.group
        return phone ? (
          <span data-whole>{formatPhoneNumber(number)}</span>
        ) : (
          <ClippedText>{formatPhoneNumber(number)}</ClippedText>
        )
      },
    },
    {
      key: 'email',
      head: words.email,
      card: 'line',
      isLowPriority: true,
      cell: ({ email }) =>
        email &&
        (phone ? (
          email
        ) : (
          <a className={classes.address} href={`mailto:${email}`}>
            <ClippedText>{email}</ClippedText>
          </a>
        )),
    },
  ]
}

/**
 * The state of the dialog. A closed dialog stays mounted until the next one opens, so that it can fade out and return
 * the focus.
 */
function useDialog() {
  const [{ opened, openCount: used }, set] = useState({ opened: false, openCount: 0 })
  return {
    opened,
    used,
    open: () => set((before) => ({ opened: true, openCount: before.openCount + 1 })),
    close: () => set((before) => ({ ...before, opened: false })),
  }
}
