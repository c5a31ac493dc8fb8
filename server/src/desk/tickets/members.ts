import type { GroupMember } from '@recado/contract/tickets'
import { keysOf, keyText, shownNumber } from '../../directory/contacts/identity.ts'
import { findByKeys } from '../../directory/contacts/people.ts'
import type { Phones } from '../../directory/contacts/phones.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { pictureUrl } from '../../kernel/files/media.ts'
import { ticketById } from './view.ts'

/**
 * Who is in the group of a ticket, for whoever may see the ticket. The line is asked, which remembers what its provider
 * told until somebody comes or goes; whoever of them is known to us has our name and portrait.
 */
export async function membersOf(scope: Scope, ticketId: number, phones: Phones): Promise<GroupMember[]> {
  const ticket = await ticketById(scope, ticketId)
  if (!ticket.isGroup || !ticket.whatsappId) return []
  const told = await phones.members(scope, ticket.whatsappId, `${await groupIdOf(scope, ticket)}@g.us`)
  const keys = told.map(({ who }) => keysOf(who))
  const known = await findByKeys(scope, keys.flat(), false)
  return told.map(({ who, name, isAdmin, isMe }, i) => {
    const contact = keys[i]?.map((key) => known.get(keyText(key))).find(Boolean)
    return {
      contactId: contact?.id ?? null,
      name: contact?.name || name,
      number: contact?.number || shownNumber(who.phone),
      profilePicUrl: contact ? pictureUrl(scope, contact.profilePicUrl) : null,
      isAdmin,
      isMe,
    }
  })
}

async function groupIdOf(scope: Scope, { contactId, contact }: { contactId: number; contact: { number: string } }) {
  const identity = await scope.db
    .selectFrom('contactIdentities')
    .select('value')
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', contactId)
    .where('kind', '=', 'group')
    .executeTakeFirst()
  return identity?.value ?? contact.number
}
