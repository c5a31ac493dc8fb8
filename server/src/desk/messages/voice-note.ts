import { Readable } from 'node:stream'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { keepUpload } from '../../kernel/files/media.ts'
import { convertToVoiceNote } from '../../kernel/files/voice-note.ts'
import type { SendAs } from '../tables.ts'
import { findVisibleTicket } from '../tickets/base/ticket-view.ts'
import { messageKindOf } from './kinds.ts'
import { assertCanWrite } from './write-permissions.ts'

/** A recording as it will reach the customer, not stored yet. */
export type UploadedVoiceNote = { upload: Upload; seconds: number }

/**
 * Converts the recording before the transaction, so that the ticket is not locked meanwhile; only for users who may
 * write in the ticket.
 */
export async function convertVoiceNote(
  scope: Scope,
  ticketId: number,
  uploads: Upload[],
  recorded: Upload,
): Promise<UploadedVoiceNote> {
  const [heard, ...more] = uploads
  if (!heard || more.length || messageKindOf(heard) !== 'audio')
    throw new AppError('ERR_VALIDATION', { voice: 'Invalid' })
  assertCanWrite(scope, await findVisibleTicket(scope, ticketId))
  const { bytes, seconds } = await convertToVoiceNote(scope.companyId, recorded)
  return { upload: await scope.deps.files.receive(Readable.from([bytes]), 'voice.ogg'), seconds }
}

export async function storeVoiceNote(
  scope: Scope,
  { upload, seconds }: UploadedVoiceNote,
  waveform: number[] | undefined,
): Promise<SendAs> {
  const { mediaPath } = await keepUpload(scope, upload)
  return { voice: { path: mediaPath, seconds, waveform: waveform ?? null } }
}
