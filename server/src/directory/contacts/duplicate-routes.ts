import { contactDuplicatesApi } from '@recado/contract/contact-duplicates/contact-duplicates'
import { type Route, route } from '../../kernel/http/routes.ts'
import type { ContactDeskActions } from './contact-desk-actions.ts'
import { findContact } from './contact-store.ts'
import { findDuplicatesOf, listDuplicates } from './find-duplicates.ts'
import { compareContacts, dismissDuplicate, joinContacts } from './join-contacts.ts'

export const duplicateRoutes = (desk: ContactDeskActions): Route[] => [
  route(contactDuplicatesApi.list, (scope, { query }) => listDuplicates(scope, query.before)),
  route(contactDuplicatesApi.ofContact, async (scope, { params }) => {
    await findContact(scope, params.id, false)
    return { pairs: await findDuplicatesOf(scope, params.id) }
  }),
  route(contactDuplicatesApi.compare, (scope, { params, query }) =>
    compareContacts(scope, params.id, query.otherId, desk),
  ),
  route(contactDuplicatesApi.join, (scope, { params, body }) => joinContacts(scope, params.id, body, desk)),
  route(contactDuplicatesApi.dismiss, async (scope, { params, body }) => {
    await dismissDuplicate(scope, params.id, body.otherId, desk)
    return { message: 'dismissed' }
  }),
]
