import type { Scope } from '../../kernel/data/scope.ts'
import type { ContactDeskActions } from './contact-desk-actions.ts'
import { type ContactRow, findContactsByKeys, updateContactRow } from './contact-store.ts'
import { identityKeyText, toFormerKeys } from './identity.ts'
import { type ContactEvidence, decideContact, evidenceKeys, recognizeContact } from './resolve-contact.ts'

type PhoneContactNews = ContactEvidence & { picture?: string | null | undefined }

/**
 * A phone reports a contact's name or picture. It may send its whole address book: only people who have written to us, or
 * were entered by hand, are contacts; others are ignored.
 */
export async function updateContactFromPhone(
  scope: Scope,
  news: PhoneContactNews,
  desk: ContactDeskActions,
): Promise<ContactRow | null> {
  const former = toFormerKeys(news.identity)
  const found = await findContactsByKeys(scope, [...evidenceKeys(news), ...former], false)
  if (!found.size) return null
  const known = recognizeContact(found, news)?.contact
  const isReplaced = former.some((key) => found.has(identityKeyText(key)))
  if (known && !isReplaced && !isNewPicture(known, news)) return known
  return scope.transaction(async (inside) => {
    const { contact } = await decideContact(inside, news, desk)
    return isNewPicture(contact, news)
      ? updateContactRow(inside, contact.id, { profilePicUrl: news.picture ?? null })
      : contact
  })
}

const isNewPicture = (contact: ContactRow, { picture }: PhoneContactNews) =>
  picture !== undefined && picture !== contact.profilePicUrl
