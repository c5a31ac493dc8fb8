import { contactsApi } from '@recado/contract/contacts'
import { toCsv } from '@recado/contract/words/csv'
import { type Route, route } from '../../kernel/http/http.ts'
import type { AtDesk } from './at-desk.ts'
import { importBook, importRows } from './import.ts'
import { everyone, pageOf, peopleFor } from './list.ts'
import { mergesOf } from './merges.ts'
import { detailOf, findContact } from './people.ts'
import type { Phones } from './phones.ts'
import { readSheet } from './sheet.ts'
import { unmerge } from './unmerge.ts'
import { createContact, removeContact, updateContact } from './write.ts'

/** What takes its time (a provider, thousands of rows) keeps its transactions short and its own. */
const ownTransaction = { transaction: false }

export const contactRoutes = (phones: Phones, desk: AtDesk): Route[] => [
  route(contactsApi.list, (scope, { query }) => pageOf(scope, query)),
  route(contactsApi.all, (scope, { query }) => everyone(scope, query.name)),
  route(contactsApi.export, async (scope, { query }, { reply }) => {
    const people = await peopleFor(scope, query)
    reply.header('X-Total-Count', people.length)
    // Spec, section 2: the columns are the same in every language.
    return toCsv([['name', 'number', 'email'], ...people.map(({ name, number, email }) => [name, number, email])])
  }),
  route(contactsApi.show, async (scope, { params }) => detailOf(scope, await findContact(scope, params.id, false))),
  route(contactsApi.create, (scope, { body }) => createContact(scope, body, phones), ownTransaction),
  route(contactsApi.update, (scope, { params, body }) => updateContact(scope, params.id, body, phones), ownTransaction),
  route(contactsApi.remove, async (scope, { params }) => {
    await removeContact(scope, params.id, desk)
    return { message: 'deleted' }
  }),
  route(contactsApi.import, (scope) => importBook(scope, phones), ownTransaction),
  route(contactsApi.upload, (scope, { body }) => importRows(scope, body), ownTransaction),
  route(contactsApi.uploadSheet, async (_, __, { uploads }) => ({ rows: await readSheet(uploads[0]) }), ownTransaction),
  route(contactsApi.merges, (scope, { params }) => mergesOf(scope, params.id)),
  route(contactsApi.unmerge, async (scope, { params }) => detailOf(scope, await unmerge(scope, params.id, desk))),
]
