import type { Contact } from 'baileys'
import type { Log } from '../../../kernel/log.ts'
import { jidUser } from '../inbound/message-interpreter.ts'
import type { KeyRows } from '../keys/key-rows.ts'

const keyType = 'contact'
type Entry = { number: string; name: string }

/** The phone's address book as far as the phone has sent it: the names its owner gave to people. Stored like the keys. */
export function makePhoneBook(rows: KeyRows, log: Log) {
  return {
    /** Stores contacts in the background: thousands of them arrive after linking, and no code waits for them. */
    store(contacts: Partial<Contact>[]): void {
      const entries = contacts.flatMap(({ id, phoneNumber, name }): Entry[] => {
        const jid = phoneNumber ?? id ?? ''
        const number = jid.endsWith('@lid') || jid.endsWith('@g.us') ? '' : jidUser(jid)
        return number && name ? [{ number, name }] : []
      })
      if (!entries.length) return
      rows
        .write(entries.map((entry) => ({ type: keyType, id: entry.number, value: JSON.stringify(entry) })))
        .catch((err) => log.warn({ err }, 'could not store the names of the phone'))
    },
    listAll: async (): Promise<Entry[]> =>
      (await rows.readAll(keyType)).flatMap(({ value }) => (value ? [JSON.parse(value) as Entry] : [])),
  }
}
export type PhoneBook = ReturnType<typeof makePhoneBook>
