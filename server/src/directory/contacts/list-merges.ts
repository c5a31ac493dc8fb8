import type { contactsApi } from '@recado/contract/contacts'
import type { Reply } from '@recado/contract/endpoint'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { findContact } from './contact-store.ts'

/** The contacts merged into this contact, also indirectly, the latest merge first. */
export async function listMerges(scope: Scope, id: number): Promise<Reply<typeof contactsApi.merges>> {
  await findContact(scope, id, false)
  const { companyId } = scope
  const { rows } = await sql<Reply<typeof contactsApi.merges>[number]>`
    with recursive inside as (
      select m.id, m."mergedId", m.reason, m.at from "contactMerges" m
      where m."companyId" = ${companyId} and m."keptId" = ${id} and m."undoneAt" is null
      union
      select m.id, m."mergedId", m.reason, m.at from "contactMerges" m join inside on inside."mergedId" = m."keptId"
      where m."companyId" = ${companyId} and m."undoneAt" is null
    )
    select i.id, c.name, c.number, i.reason, i.at
    from inside i join contacts c on c."companyId" = ${companyId} and c.id = i."mergedId"
    order by i.id desc`.execute(scope.db)
  return rows
}
