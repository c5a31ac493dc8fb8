import { sql } from 'kysely'
import type { Scope } from '../../kernel/scope.ts'
import type { ChatId } from '../../lines/line.ts'

type Known = { number: string; isGroup: boolean; identities: { kind: string; value: string }[] }

/** Where to write to somebody: the group, the number, or, while that is unknown, the hidden id. */
export function chatOf(contact: Known): ChatId {
  const value = (kind: string) => contact.identities.find((i) => i.kind === kind)?.value
  if (contact.isGroup) return `${value('group') ?? contact.number}@g.us`
  if (contact.number) return `${contact.number}@s.whatsapp.net`
  return `${value('lid') ?? value('cloud') ?? ''}@lid`
}

export async function chatOfContact(scope: Scope, contactId: number): Promise<string | null> {
  const { rows } = await sql<Known>`
    select c.number, c."isGroup", coalesce((select json_agg(json_build_object('kind', i.kind, 'value', i.value)) from "contactIdentities" i
      where i."companyId" = c."companyId" and i."contactId" = c.id), '[]') as identities
    from contacts c where c."companyId" = ${scope.companyId} and c.id = ${contactId}`.execute(scope.db)
  return rows[0] ? chatOf(rows[0]) : null
}
