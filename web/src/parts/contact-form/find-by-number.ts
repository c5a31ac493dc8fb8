import { type Contact, contactsApi, digits } from '@recado/contract/contacts'
import { call } from '../../lib/api.ts'

/** Enough to be sure that two ways of writing it are one telephone (some countries have a digit that comes and goes). */
const tail = 8

/** Who has this number already, as far as a search can tell. */
export async function findByNumber(typed: string): Promise<Contact | null> {
  const wanted = digits(typed)
  try {
    const { contacts } = await call(contactsApi.list, { query: { searchParam: wanted } })
    const same = contacts.find(({ number }) => number === wanted)
    return same ?? contacts.find(({ number }) => number.slice(-tail) === wanted.slice(-tail)) ?? null
  } catch {
    return null
  }
}
