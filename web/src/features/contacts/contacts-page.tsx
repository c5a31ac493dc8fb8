import { type Contact, contactsApi } from '@recado/contract/contacts'
import { isFound, lettersOf } from '@recado/contract/words/searched'
import { IconAddressBook, IconDownload, IconEraser, IconMessagePlus } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { call } from '../../lib/api.ts'
import { useCan } from '../../lib/can.tsx'
import { phoneNumber } from '../../lib/format.ts'
import { useTexts } from '../../lib/texts.ts'
import { ContactAvatar } from '../../parts/contact-avatar.tsx'
import { Clip, Named } from '../../records/cells.tsx'
import type { Column } from '../../records/column.ts'
import { byText } from '../../records/merge.ts'
import { RecordsPage } from '../../records/records-page.tsx'
import { type Source, sourceOf } from '../../records/use-records.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { ContactFilters, everybody, type Shown } from './contact-filters.tsx'
import { ContactTools } from './contact-tools.tsx'
import classes from './contacts.module.css'
import { useExport } from './export/use-export.ts'
import { texts } from './texts.ts'
import { useWriteTo } from './write-to.tsx'

const loadForm = () =>
  import('../../parts/contact-form/contact-dialog.tsx').then((module) => ({ default: module.ContactDialog }))
const ContactDialog = lazy(loadForm)
const ImportDialog = lazy(() =>
  import('./import/import-dialog.tsx').then((module) => ({ default: module.ImportDialog })),
)

const EraseDialog = lazy(() => import('./erase/erase-dialog.tsx').then((module) => ({ default: module.EraseDialog })))

const DeletedDialog = lazy(() =>
  import('./deleted/deleted-dialog.tsx').then((module) => ({ default: module.DeletedDialog })),
)

const ExportDialog = lazy(() =>
  import('./export/export-dialog.tsx').then((module) => ({ default: module.ExportDialog })),
)

const all = sourceOf(contactsApi)
/** As the server picks and orders them, so that news finds its place. */
const sourceFor = ({ kind, sortBy }: Shown): Source<Contact> => ({
  ...all,
  name: `${all.name} ${kind} ${sortBy}`,
  page: async (asked, signal) => {
    const query = { ...asked, sortBy, ...(kind !== 'all' && { kind }) }
    const { contacts: rows, ...page } = await call(contactsApi.list, { query }, signal ? { signal } : {})
    return { rows, ...page }
  },
  matches: (contact, search) => (kind === 'all' || contact.isGroup === (kind === 'group')) && isFound(contact, search),
  order:
    sortBy === 'name'
      ? byText<Contact>(lettersOf)
      : (a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt) || b.id - a.id,
})

export function ContactsPage() {
  const words = useTexts(texts)
  const can = useCan()
  const mayRemove = can('contacts-page:deleteContact')
  const mayErase = can('contacts-page:erase')
  const columns = useColumns()
  const exporting = useExport()
  const [shown, setShown] = useState(everybody)
  const source = useMemo(() => sourceFor(shown), [shown])
  const sheet = useDialog()
  const erase = useDialog()
  const deleted = useDialog()
  const [erased, setErased] = useState<Contact | null>(null)
  const write = useWriteTo()
  return (
    <>
      <RecordsPage
        source={source}
        words={words.words}
        columns={columns}
        nameOf={nameOf}
        icon={<IconAddressBook size={26} stroke={1.6} />}
        form={({ row, ...slot }) => <ContactDialog {...slot} contactId={row?.id} />}
        loadForm={loadForm}
        remove={(contact) => call(contactsApi.remove, { params: { id: contact.id } })}
        consequence={() => words.consequence}
        mark={(contact) => <ContactAvatar contact={contact} size={40} isGroup={contact.isGroup} />}
        actions={[
          {
            key: 'write',
            label: words.write,
            icon: <IconMessagePlus size={17} stroke={1.75} />,
            run: write.to,
            direct: words.writeTo,
          },
          {
            key: 'take',
            label: words.takeData,
            icon: <IconDownload size={17} stroke={1.75} />,
            run: (contact) => void import('./erase/take-data.ts').then((module) => module.takeData(contact)),
            offered: () => mayErase,
          },
          {
            key: 'erase',
            label: words.eraseData,
            icon: <IconEraser size={17} stroke={1.75} />,
            run: (contact) => {
              setErased(contact)
              erase.open()
            },
            offered: () => mayErase,
          },
        ]}
        may={{ create: true, edit: () => true, remove: () => mayRemove }}
        filters={{
          draw: <ContactFilters shown={shown} onChange={setShown} />,
          narrows: shown.kind !== 'all',
          clear: () => setShown({ ...shown, kind: 'all' }),
        }}
        several={words.several}
        beside={({ search, count, isLowerBound }) => (
          <ContactTools
            search={search}
            count={count}
            isLowerBound={isLowerBound}
            onSheet={sheet.open}
            onBook={() => void import('./book/import-book.ts').then((module) => module.importBook())}
            onExport={(wanted) => void exporting.start(wanted)}
            onDeleted={can('contacts-page:restore') ? deleted.open : undefined}
          />
        )}
      />
      {write.dialog}
      {exporting.running && (
        <Suspense fallback={null}>
          <ExportDialog onStop={exporting.stop} />
        </Suspense>
      )}
      {erased && (
        <Suspense fallback={null}>
          <EraseDialog key={erase.used} contact={erased} opened={erase.opened} onClose={erase.close} />
        </Suspense>
      )}
      {deleted.used > 0 && (
        <Suspense fallback={null}>
          <DeletedDialog key={deleted.used} opened={deleted.opened} onClose={deleted.close} />
        </Suspense>
      )}
      {sheet.used > 0 && (
        <Suspense fallback={null}>
          <ImportDialog key={sheet.used} opened={sheet.opened} onClose={sheet.close} />
        </Suspense>
      )}
    </>
  )
}

const nameOf = ({ name, number }: Contact) => name || phoneNumber(number)

function useColumns(): Column<Contact>[] {
  const words = useTexts(texts)
  const phone = usePhone()
  return [
    {
      key: 'name',
      head: words.name,
      card: 'title',
      cell: (contact) => (
        <Named mark={!phone && <ContactAvatar contact={contact} size={28} isGroup={contact.isGroup} />}>
          {nameOf(contact)}
        </Named>
      ),
    },
    {
      key: 'number',
      head: words.number,
      width: 210,
      card: 'line',
      cell: ({ isGroup, number }) => {
        if (isGroup) return words.group
        return phone ? <span data-whole>{phoneNumber(number)}</span> : <Clip>{phoneNumber(number)}</Clip>
      },
    },
    {
      key: 'email',
      head: words.email,
      card: 'line',
      low: true,
      cell: ({ email }) =>
        email &&
        (phone ? (
          email
        ) : (
          <a className={classes.address} href={`mailto:${email}`}>
            <Clip>{email}</Clip>
          </a>
        )),
    },
  ]
}

/** A closed dialog stays until the next one opens: it fades, and gives the focus back. */
function useDialog() {
  const [{ opened, used }, set] = useState({ opened: false, used: 0 })
  return {
    opened,
    used,
    open: () => set((before) => ({ opened: true, used: before.used + 1 })),
    close: () => set((before) => ({ ...before, opened: false })),
  }
}
