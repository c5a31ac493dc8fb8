import { contactsApi } from '@recado/contract/contacts'
import type { Reply } from '@recado/contract/endpoint'
import { callApi } from '../../../lib/api.ts'
import { splitIntoChunks } from './chunks.ts'
import type { ImportRow, ImportRowProblem } from './import-rows.ts'

/** A row that did not come in, and why: what we saw ourselves, or the server's word (an error code or a form message). */
export type RefusedRow = {
  line: number | null
  name: string
  number: string
  email: string
  why: ImportRowProblem | { message: string; field: string }
}
export type ImportSendResult = { created: number; refused: RefusedRow[]; rest: ImportRow[] }

type UploadErrors = Reply<typeof contactsApi.upload>['errorBag']

/**
 * Sends people piece by piece. After each it asks whether to go on, and `tell` hears how it stands; what was not sent,
 * because somebody stopped it or a call failed, is left in `rest`.
 */
export async function* sendImportRows(people: ImportRow[]): AsyncGenerator<ImportSendResult> {
  const sent: ImportSendResult = { created: 0, refused: [], rest: people }
  for (const chunk of splitIntoChunks(people)) {
    const body = chunk.map(({ name, number, email }) => ({ name, number, email }))
    const { newContacts, errorBag } = await callApi(contactsApi.upload, { body })
    sent.created += newContacts.length
    sent.refused = [...sent.refused, ...toRefusedRows(chunk, errorBag)]
    sent.rest = sent.rest.slice(chunk.length)
    yield { ...sent }
  }
}

/** The server counts the rows it was sent, from 1. */
export function toRefusedRows(chunk: ImportRow[], bag: UploadErrors): RefusedRow[] {
  return bag.map(({ contactName, row, error }) => {
    const { line = null, name = contactName, number = '', email = '' } = chunk[row - 1] ?? {}
    return { line, name, number, email, why: error }
  })
}
