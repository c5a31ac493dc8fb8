import type { GroupMember } from '@recado/contract/tickets'
import { findContactsByKeys } from '../../directory/contacts/contact-store.ts'
import { identityKeyText, normalizePhoneNumber, toIdentityKeys } from '../../directory/contacts/identity.ts'
import type { PhoneQueries } from '../../directory/contacts/phone-queries.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { pictureUrl } from '../../kernel/files/media.ts'
import { findVisibleTicket } from './base/ticket-view.ts'

/**
 * The members of a ticket's group, for users who may see the ticket. They are read from the line, which caches the
 * provider's answer until a member joins or leaves; known contacts get our name and picture.
 */
export async function listGroupMembers(scope: Scope, ticketId: number, phones: PhoneQueries): Promise<GroupMember[]> {
  const ticket = await findVisibleTicket(scope, ticketId)
  if (!ticket.isGroup || !ticket.whatsappId) return []
  const told = await phones.loadGroupMembers(scope, ticket.whatsappId, `${await findGroupId(scope, ticket)}@g.us`)
  const keys = told.map(({ who }) => toIdentityKeys(who))
  const known = await findContactsByKeys(scope, keys.flat(), false)
  return told.map(({ who, name, isAdmin, isMe }, i) => {
    const contact = keys[i]?.map((key) => known.get(identityKeyText(key))).find(Boolean)
    return {
      contactId: contact?.id ?? null,
      name: contact?.name || name,
      number: contact?.number || normalizePhoneNumber(who.phone),
      profilePicUrl: contact ? pictureUrl(scope, contact.profilePicUrl) : null,
      isAdmin,
      isMe,
    }
  })
}

async function findGroupId(scope: Scope, { contactId, contact }: { contactId: number; contact: { number: string } }) {
  const identity = await scope.db
    .selectFrom('contactIdentities')
    .select('value')
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', contactId)
    .where('kind', '=', 'group')
    .executeTakeFirst()
  return identity?.value ?? contact.number
}
