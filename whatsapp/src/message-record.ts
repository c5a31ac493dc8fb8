import type { EventEmitter } from 'node:events'
import type { Account, PersonEvents, ReceivedMessage } from './accounts.ts'

/** A message on a person's phone. `text`: null until it could be decrypted. */
export type RecordedMessage = { chat: string; id: string; text: string | null }

/**
 * What stands on the phones of people, by chat and id, in the order of arrival. A phone shows a message that comes again
 * under its id once, and one that could not be decrypted at its first place. Another text under a known id is recorded as
 * another message.
 */
export class MessageRecord {
  readonly #messages: RecordedMessage[] = []
  readonly #byKey = new Map<string, RecordedMessage>()

  /** Records what this person gets from now on. */
  follow(person: EventEmitter<PersonEvents> & { account: Account }): void {
    const chat = person.account.phoneNumber
    person.on('undecryptable', ({ id }) => void this.#findOrAdd(chat, id))
    person.on('message', ({ id, message }) => {
      const found = this.#findOrAdd(chat, id)
      const text = readText(message)
      if (found.text === null) found.text = text
      else if (found.text !== text) this.#messages.push({ chat, id, text })
    })
  }

  /** Messages that were decrypted. */
  list(): (RecordedMessage & { text: string })[] {
    return this.#messages.flatMap(({ text, ...one }) => (text === null ? [] : [{ ...one, text }]))
  }

  #findOrAdd(chat: string, id: string): RecordedMessage {
    const key = `${chat} ${id}`
    const found = this.#byKey.get(key)
    if (found) return found
    const added: RecordedMessage = { chat, id, text: null }
    this.#byKey.set(key, added)
    this.#messages.push(added)
    return added
  }
}

const readText = ({ conversation, extendedTextMessage, imageMessage }: ReceivedMessage['message']): string =>
  conversation || extendedTextMessage?.text || imageMessage?.caption || ''
