import { contactsApi } from '@recado/contract/contacts'
import type { Reply } from '@recado/contract/endpoint'
import { callApi } from '../../../lib/api.ts'
import { splitIntoChunks } from './chunks.ts'
import type { ImportRow, ImportRowProblem } from './import-rows.ts'

/** A refused row and the reason, found locally or returned by the server (an error code or a form message). */
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
 * Sends people chunk by chunk. It yields its state after each chunk, so that the caller can stop. People who were
 * not sent, because of a stop or a failed call, are in `rest`.
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

/** The refused rows of a chunk. The server numbers the rows of a call from 1. */
export function toRefusedRows(chunk: ImportRow[], bag: UploadErrors): RefusedRow[] {
  return bag.map(({ contactName, row, error }) => {
    const { line = null, name = contactName, number = '', email = '' } = chunk[row - 1] ?? {}
    return { line, name, number, email, why: error }
  })
}
