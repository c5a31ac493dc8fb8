import { type Contact, contactsApi, extractDigits } from '@recado/contract/contacts'
import { callApi } from '../../lib/api.ts'

/** Enough to be sure that two ways of writing it are one telephone (some countries have a digit that comes and goes). */
const comparedDigits = 8

/** Who has this number already, as far as a search can tell. */
export async function findContactByNumber(typed: string): Promise<Contact | null> {
  const wanted = extractDigits(typed)
  try {
    const { contacts } = await callApi(contactsApi.list, { query: { searchParam: wanted } })
    const same = contacts.find(({ number }) => number === wanted)
    return (
      same ?? contacts.find(({ number }) => number.slice(-comparedDigits) === wanted.slice(-comparedDigits)) ?? null
    )
  } catch {
    return null
  }
}
