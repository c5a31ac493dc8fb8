import { type Contact, contactsApi } from '@recado/contract/contacts'
import { call } from '../../../lib/api.ts'

/** Enough to keep the line busy, few enough that conversations do not notice. */
const atOnce = 4

/** Every page of a search, a few at a time; `tell` hears how many there are so far. */
export async function readEveryone(
  searchParam: string,
  signal: AbortSignal,
  tell: (read: number) => void,
): Promise<Contact[]> {
  // Somebody who is renamed meanwhile may stand on two pages.
  const found = new Map<number, Contact>()
  for (let first = 1; ; first += atOnce) {
    const pages = await Promise.all(
      Array.from({ length: atOnce }, (_, i) =>
        call(contactsApi.list, { query: { searchParam, pageNumber: first + i } }, { signal }),
      ),
    )
    for (const contact of pages.flatMap((page) => page.contacts)) found.set(contact.id, contact)
    tell(found.size)
    if (pages.some((page) => !page.hasMore)) return [...found.values()]
  }
}
