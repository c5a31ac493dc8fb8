import { type Contact, contactsApi, extractDigits } from '@recado/contract/contacts'
import { callApi } from '../../lib/api.ts'

/** Enough digits to identify a phone number in different formats (some countries have an optional digit). */
const comparedDigits = 8

/** The contact with this number, if a search can find it. */
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
