import { contactsApi } from '@recado/contract/contacts'
import type { ParsedInput } from '@recado/contract/endpoint'
import { toCsv, toCsvLines } from '@recado/contract/text/csv'
import { writeAudit } from '../../accounts/api-access/audit.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { makeCompanySlots } from '../../kernel/files/in-worker.ts'
import { type Route, route, SerializedReply } from '../../kernel/http/routes.ts'
import type { ContactDeskActions } from './contact-desk-actions.ts'
import { readContactSheet } from './contact-sheet.ts'
import { findContact, presentContactDetail } from './contact-store.ts'
import { deleteContact, listDeletedContacts, purgeContact, restoreContact } from './deleted-contacts.ts'
import { importPhoneBook, importSheetRows } from './import-contacts.ts'
import { hasOwners, listAllContacts, listContactsPage, streamContactsForExport } from './list-contacts.ts'
import { listMerges } from './list-merges.ts'
import type { PhoneQueries } from './phone-queries.ts'
import { unmergeContacts } from './unmerge-contacts.ts'
import { createContact, updateContact } from './write-contact.ts'

/** Slow work (a provider, thousands of rows) uses its own short transactions. */
const ownTransaction = { transaction: false }

/** The export is held in memory until it is sent: one at a time per company. */
const exportSlots = makeCompanySlots({ maxRunning: 1, maxWaiting: 4 })

async function buildExportFile(scope: Scope, query: ParsedInput<typeof contactsApi.export>['query']) {
  const done = await exportSlots(scope.companyId)
  try {
    // Spec, section 2: the columns are the same in every language.
    const owned = await hasOwners(scope)
    let text = toCsv([['name', 'number', 'email', ...(owned ? ['owner'] : [])]])
    let count = 0
    for await (const people of streamContactsForExport(scope, query)) {
      text += toCsvLines(
        people.map(({ name, number, email, owner }) => [name, number, email, ...(owned ? [owner] : [])]),
      )
      count += people.length
    }
    return { text, count }
  } finally {
    done()
  }
}

export const contactRoutes = (phones: PhoneQueries, desk: ContactDeskActions): Route[] => [
  route(contactsApi.list, (scope, { query }) => listContactsPage(scope, query)),
  route(contactsApi.all, (scope, { query }) => listAllContacts(scope, query.name)),
  route(contactsApi.export, async (scope, { query }, { reply }) => {
    const { text, count } = await buildExportFile(scope, query)
    reply.header('X-Total-Count', count)
    await writeAudit(scope, 'export.contacts', scope.companyId, String(count))
    return text
  }),
  route(contactsApi.show, async (scope, { params }) =>
    presentContactDetail(scope, await findContact(scope, params.id, false)),
  ),
  route(contactsApi.create, (scope, { body }) => createContact(scope, body, phones), ownTransaction),
  route(
    contactsApi.update,
    (scope, { params, body }) => updateContact(scope, params.id, body, phones, desk),
    ownTransaction,
  ),
  route(contactsApi.remove, async (scope, { params }) => {
    await deleteContact(scope, params.id, desk)
    return { message: 'deleted' }
  }),
  route(contactsApi.deleted, (scope, { query }) => listDeletedContacts(scope, query)),
  route(contactsApi.restore, (scope, { params }) => restoreContact(scope, params.id, desk)),
  route(contactsApi.purge, async (scope, { params }) => {
    await purgeContact(scope, params.id)
    return { message: 'deleted' }
  }),
  route(contactsApi.import, (scope) => importPhoneBook(scope, phones), ownTransaction),
  route(contactsApi.upload, (scope, { body }) => importSheetRows(scope, body), ownTransaction),
  route(
    contactsApi.uploadSheet,
    async (scope, _, { uploads }) =>
      new SerializedReply(`{"rows":${await readContactSheet(scope.companyId, uploads[0])}}`),
    ownTransaction,
  ),
  route(contactsApi.merges, (scope, { params }) => listMerges(scope, params.id)),
  route(contactsApi.unmerge, async (scope, { params }) =>
    presentContactDetail(scope, await unmergeContacts(scope, params.id, desk)),
  ),
]
