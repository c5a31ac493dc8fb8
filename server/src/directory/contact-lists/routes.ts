import { contactListItemsApi, contactListsApi } from '@recado/contract/campaigns/contact-lists'
import { toCsv } from '@recado/contract/words/csv'
import { type Route, resource, route } from '../../kernel/http/http.ts'
import { checkAgain } from './checks.ts'
import { importsOf, previewSheet, startImport, stopImport } from './imports.ts'
import { createItem, findItem, pageOfItems, removeItem, updateItem } from './items.ts'
import { createList, heldRows, lists, recount, removeList, updateList } from './lists.ts'
import { countFound, mustBeOwn } from './question.ts'

/** What takes its time keeps its transactions short and its own. */
const ownTransaction = { transaction: false }

export const contactListRoutes: Route[] = [
  ...resource(contactListsApi, lists, ['create', 'update', 'remove']),
  route(contactListsApi.create, (scope, { body }) => createList(scope, body)),
  route(contactListsApi.update, (scope, { params, body }) => updateList(scope, params.id, body)),
  route(contactListsApi.remove, async (scope, { params }) => {
    await removeList(scope, params.id)
    return { message: 'deleted' }
  }),
  route(contactListsApi.all, (scope) => lists.all(scope)),
  // The header is the one that every client of this family knows.
  route(contactListsApi.example, () =>
    toCsv([
      ['nome', 'numero', 'e-mail'],
      ['Lucía Campos', '5491155550000', 'lucia@mail.example'],
    ]),
  ),
  route(
    contactListsApi.count,
    async (scope, { body }) => {
      await mustBeOwn(scope, body)
      return countFound(scope, body)
    },
    ownTransaction,
  ),
  route(contactListsApi.check, async (scope, { params }) => {
    await heldRows(scope, params.id)
    await checkAgain(scope, params.id)
    return recount(scope, params.id)
  }),
  route(
    contactListsApi.upload,
    async (scope, { params }, { uploads }) => {
      const found = await previewSheet(scope, params.id, uploads[0])
      return scope.transaction((tx) => startImport(tx, found.id, found.columns))
    },
    ownTransaction,
  ),
  route(
    contactListsApi.preview,
    (scope, { params }, { uploads }) => previewSheet(scope, params.id, uploads[0]),
    ownTransaction,
  ),
  route(contactListsApi.imports, (scope, { params }) => importsOf(scope, params.id)),
  route(contactListsApi.start, (scope, { params, body }) => startImport(scope, params.id, body)),
  route(contactListsApi.stop, (scope, { params }) => stopImport(scope, params.id)),

  route(contactListItemsApi.list, (scope, { query }) => pageOfItems(scope, query)),
  route(contactListItemsApi.show, (scope, { params }) => findItem(scope, params.id)),
  route(contactListItemsApi.create, (scope, { body }) => createItem(scope, body)),
  route(contactListItemsApi.update, (scope, { params, body }) => updateItem(scope, params.id, body)),
  route(contactListItemsApi.remove, async (scope, { params }) => {
    await removeItem(scope, params.id)
    return { message: 'deleted' }
  }),
]
