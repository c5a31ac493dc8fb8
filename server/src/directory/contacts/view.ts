import type { ContactDetail } from '@recado/contract/contacts'
import type { Scope } from '../../kernel/data/scope.ts'
import { type ContactRow, shownContact } from './people.ts'

/** One contact with its own fields and the line that met it first. */
export async function detailOf(scope: Scope, row: ContactRow): Promise<ContactDetail> {
  const { companyId, db } = scope
  const extraInfo = await db
    .selectFrom('contactFields')
    .select(['id', 'name', 'value'])
    .where('companyId', '=', companyId)
    .where('contactId', '=', row.id)
    .orderBy('id')
    .execute()
  const line = row.whatsappId
    ? await db
        .selectFrom('whatsapps')
        .select('name')
        .where('companyId', '=', companyId)
        .where('id', '=', row.whatsappId)
        .executeTakeFirst()
    : undefined
  return { ...shownContact(scope, row), extraInfo, whatsapp: line ?? null }
}
