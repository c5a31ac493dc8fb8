import type { Scope } from '../../kernel/data/scope.ts'
import type { AtDesk } from './at-desk.ts'
import { type ContactRow, changeContact, findByKeys } from './people.ts'
import { decide, keysOfWho, recognise, type Who } from './resolve.ts'

type News = Who & { picture?: string | null | undefined }

/**
 * A phone says how somebody is called or looks now. It may tell us of its whole address book: only who has written to
 * us, or was entered by hand, is a contact; of others there is none.
 */
export async function hearContact(scope: Scope, news: News, desk: AtDesk): Promise<ContactRow | null> {
  const found = await findByKeys(scope, keysOfWho(news), false)
  if (!found.size) return null
  const known = recognise(found, news)?.contact
  if (known && !isNewPicture(known, news)) return known
  return scope.transaction(async (inside) => {
    const { contact } = await decide(inside, news, desk)
    return isNewPicture(contact, news)
      ? changeContact(inside, contact.id, { profilePicUrl: news.picture ?? null })
      : contact
  })
}

const isNewPicture = (contact: ContactRow, { picture }: News) =>
  picture !== undefined && picture !== contact.profilePicUrl
