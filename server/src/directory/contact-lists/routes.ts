import { contactListItemsApi, contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { toCsv } from '@recado/contract/text/csv'
import { crudRoutes, type Route, route } from '../../kernel/http/routes.ts'
import {
  contactLists,
  createContactList,
  lockRowList,
  recountList,
  removeContactList,
  updateContactList,
} from './contact-lists.ts'
import { loadListImports, previewListSheet, startListImport, stopListImport } from './list-imports.ts'
import { createListItem, findListItem, listItemsPage, removeListItem, updateListItem } from './list-items.ts'
import { assertOwnTagsAndQueues, countQuestionMatches } from './list-question.ts'
import { recheckList } from './number-checks.ts'

/** Slow routes open their own short transactions. */
const ownTransaction = { transaction: false }

export const contactListRoutes: Route[] = [
  ...crudRoutes(contactListsApi, contactLists, ['create', 'update', 'remove']),
  route(contactListsApi.create, (scope, { body }) => createContactList(scope, body)),
  route(contactListsApi.update, (scope, { params, body }) => updateContactList(scope, params.id, body)),
  route(contactListsApi.remove, async (scope, { params }) => {
    await removeContactList(scope, params.id)
    return { message: 'deleted' }
  }),
  route(contactListsApi.all, (scope) => contactLists.listAll(scope)),
  // The header that all Whaticket-compatible clients use.
  route(contactListsApi.example, () =>
    toCsv([
      ['nome', 'numero', 'e-mail'],
      ['Lucía Campos', '5491155550000', 'lucia@mail.example'],
    ]),
  ),
  route(
    contactListsApi.count,
    async (scope, { body }) => {
      await assertOwnTagsAndQueues(scope, body)
      return countQuestionMatches(scope, body)
    },
    ownTransaction,
  ),
  route(contactListsApi.check, async (scope, { params }) => {
    await lockRowList(scope, params.id)
    await recheckList(scope, params.id)
    return recountList(scope, params.id)
  }),
  route(
    contactListsApi.upload,
    async (scope, { params }, { uploads }) => {
      const found = await previewListSheet(scope, params.id, uploads[0])
      return scope.transaction((tx) => startListImport(tx, found.id, found.columns))
    },
    ownTransaction,
  ),
  route(
    contactListsApi.preview,
    (scope, { params }, { uploads }) => previewListSheet(scope, params.id, uploads[0]),
    ownTransaction,
  ),
  route(contactListsApi.imports, (scope, { params }) => loadListImports(scope, params.id)),
  route(contactListsApi.start, (scope, { params, body }) => startListImport(scope, params.id, body)),
  route(contactListsApi.stop, (scope, { params }) => stopListImport(scope, params.id)),

  route(contactListItemsApi.list, (scope, { query }) => listItemsPage(scope, query)),
  route(contactListItemsApi.show, (scope, { params }) => findListItem(scope, params.id)),
  route(contactListItemsApi.create, (scope, { body }) => createListItem(scope, body)),
  route(contactListItemsApi.update, (scope, { params, body }) => updateListItem(scope, params.id, body)),
  route(contactListItemsApi.remove, async (scope, { params }) => {
    await removeListItem(scope, params.id)
    return { message: 'deleted' }
  }),
]
