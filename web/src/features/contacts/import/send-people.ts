import { contactsApi } from '@recado/contract/contacts'
import type { Reply } from '@recado/contract/kit'
import { call } from '../../../lib/api.ts'
import { chunksOf } from './chunks.ts'
import type { Person, Wrong } from './people.ts'

/** A row that did not come in, and why: what we saw ourselves, or the server's word (an error code or a form message). */
export type Refused = {
  line: number | null
  name: string
  number: string
  email: string
  why: Wrong | { message: string; field: string }
}
export type Sent = { created: number; refused: Refused[]; rest: Person[] }

type Bag = Reply<typeof contactsApi.upload>['errorBag']

/**
 * Sends people piece by piece. After each it asks whether to go on, and `tell` hears how it stands; what was not sent,
 * because somebody stopped it or a call failed, is left in `rest`.
 */
export async function* sendPeople(people: Person[]): AsyncGenerator<Sent> {
  const sent: Sent = { created: 0, refused: [], rest: people }
  for (const chunk of chunksOf(people)) {
    const body = chunk.map(({ name, number, email }) => ({ name, number, email }))
    const { newContacts, errorBag } = await call(contactsApi.upload, { body })
    sent.created += newContacts.length
    sent.refused = [...sent.refused, ...refusedOf(chunk, errorBag)]
    sent.rest = sent.rest.slice(chunk.length)
    yield { ...sent }
  }
}

/** The server counts the rows it was sent, from 1. */
export function refusedOf(chunk: Person[], bag: Bag): Refused[] {
  return bag.map(({ contactName, row, error }) => {
    const { line = null, name = contactName, number = '', email = '' } = chunk[row - 1] ?? {}
    return { line, name, number, email, why: error }
  })
}
