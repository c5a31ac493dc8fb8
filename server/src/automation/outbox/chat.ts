import { lineTraits } from '@recado/contract/line-traits'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { ChatId, LineRow } from '../../lines/line.ts'

type ChatContact = { number: string; isGroup: boolean; identities: { kind: string; value: string }[] }
type Provider = LineRow['provider']

/** The chat id of a contact: the group, the number or, if that is unknown, the provider's own id. */
export function chatIdOf(contact: ChatContact, provider: Provider): ChatId {
  const value = (kind: string) => contact.identities.find((i) => i.kind === kind)?.value
  if (contact.isGroup) return `${value('group') ?? contact.number}@g.us`
  if (contact.number) return `${contact.number}@s.whatsapp.net`
  const { hiddenId } = lineTraits[provider]
  return `${value(hiddenId) ?? ''}@${hiddenId}`
}

export async function findChatId(scope: Scope, contactId: number, whatsappId: number): Promise<string | null> {
  const { rows } = await sql<ChatContact & { provider: Provider }>`
    select c.number, c."isGroup", w.provider, coalesce((select json_agg(json_build_object('kind', i.kind, 'value', i.value)) from "contactIdentities" i
      where i."companyId" = c."companyId" and i."contactId" = c.id), '[]') as identities
    from contacts c join whatsapps w on w."companyId" = c."companyId" and w.id = ${whatsappId}
    where c."companyId" = ${scope.companyId} and c.id = ${contactId}`.execute(scope.db)
  return rows[0] ? chatIdOf(rows[0], rows[0].provider) : null
}
