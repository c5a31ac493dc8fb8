import { contactsApi } from '@recado/contract/contacts'
import type { Parsed } from '@recado/contract/kit'
import { csvLines, toCsv } from '@recado/contract/words/csv'
import { writeDown } from '../../accounts/doors/audit.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { makeTurns } from '../../kernel/files/apart.ts'
import { Finished, type Route, route } from '../../kernel/http/http.ts'
import type { AtDesk } from './at-desk.ts'
import { deleteContact, pageOfDeleted, purgeContact, restoreContact } from './deleted.ts'
import { importBook, importRows } from './import.ts'
import { everyone, pageOf, peopleFor } from './list.ts'
import { mergesOf } from './merges.ts'
import { detailOf, findContact } from './people.ts'
import type { Phones } from './phones.ts'
import { readSheet } from './sheet.ts'
import { unmerge } from './unmerge.ts'
import { createContact, updateContact } from './write.ts'

/** What takes its time (a provider, thousands of rows) keeps its transactions short and its own. */
const ownTransaction = { transaction: false }

/** A file of all contacts is held until it is sent: one at a time of each company. */
const turns = makeTurns({ atOnce: 1, waiting: 4 })

async function fileOf(scope: Scope, query: Parsed<typeof contactsApi.export>['query']) {
  const done = await turns(scope.companyId)
  try {
    // Spec, section 2: the columns are the same in every language.
    let text = toCsv([['name', 'number', 'email']])
    let count = 0
    for await (const people of peopleFor(scope, query)) {
      text += csvLines(people.map(({ name, number, email }) => [name, number, email]))
      count += people.length
    }
    return { text, count }
  } finally {
    done()
  }
}

export const contactRoutes = (phones: Phones, desk: AtDesk): Route[] => [
  route(contactsApi.list, (scope, { query }) => pageOf(scope, query)),
  route(contactsApi.all, (scope, { query }) => everyone(scope, query.name)),
  route(contactsApi.export, async (scope, { query }, { reply }) => {
    const { text, count } = await fileOf(scope, query)
    reply.header('X-Total-Count', count)
    await writeDown(scope, 'export.contacts', scope.companyId, String(count))
    return text
  }),
  route(contactsApi.show, async (scope, { params }) => detailOf(scope, await findContact(scope, params.id, false))),
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
  route(contactsApi.deleted, (scope, { query }) => pageOfDeleted(scope, query)),
  route(contactsApi.restore, (scope, { params }) => restoreContact(scope, params.id, desk)),
  route(contactsApi.purge, async (scope, { params }) => {
    await purgeContact(scope, params.id)
    return { message: 'deleted' }
  }),
  route(contactsApi.import, (scope) => importBook(scope, phones), ownTransaction),
  route(contactsApi.upload, (scope, { body }) => importRows(scope, body), ownTransaction),
  route(
    contactsApi.uploadSheet,
    async (scope, _, { uploads }) => new Finished(`{"rows":${await readSheet(scope.companyId, uploads[0])}}`),
    ownTransaction,
  ),
  route(contactsApi.merges, (scope, { params }) => mergesOf(scope, params.id)),
  route(contactsApi.unmerge, async (scope, { params }) => detailOf(scope, await unmerge(scope, params.id, desk))),
]
