import type { Contact } from '@recado/contract/contacts'
import { fold } from '@recado/contract/words/fold'

/** As the server searches: without accents and case, in the name or the number; of a telephone only the digits count. */
export function foundBy({ name, number }: Pick<Contact, 'name' | 'number'>, search: string): boolean {
  const digits = search.replace(/\D/g, '')
  const needle = /^[-+() .\d]+$/.test(search) && digits ? digits : fold(search)
  return fold(name).includes(needle) || number.includes(needle)
}
