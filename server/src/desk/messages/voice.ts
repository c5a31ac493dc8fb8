import { Readable } from 'node:stream'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Upload } from '../../kernel/files/files.ts'
import { keepUpload } from '../../kernel/files/media.ts'
import { voiceNoteOf } from '../../kernel/files/voice-note.ts'
import type { SendAs } from '../tables.ts'
import { ticketById } from '../tickets/view.ts'
import { kindOf } from './kinds.ts'
import { mayWrite } from './speaking.ts'

/** A recording as it will reach the customer, not yet kept. */
export type Voice = { upload: Upload; seconds: number }

/** Made before the transaction, so that nobody waits for the ticket meanwhile; of who may write there alone. */
export async function rewrapVoice(scope: Scope, ticketId: number, uploads: Upload[], recorded: Upload): Promise<Voice> {
  const [heard, ...more] = uploads
  if (!heard || more.length || kindOf(heard) !== 'audio') throw new AppError('ERR_VALIDATION', { voice: 'Invalid' })
  mayWrite(scope, await ticketById(scope, ticketId))
  const { bytes, seconds } = await voiceNoteOf(scope.companyId, recorded)
  return { upload: await scope.means.files.receive(Readable.from([bytes]), 'voice.ogg'), seconds }
}

export async function keepVoice(
  scope: Scope,
  { upload, seconds }: Voice,
  waveform: number[] | undefined,
): Promise<SendAs> {
  const { mediaPath } = await keepUpload(scope, upload)
  return { voice: { path: mediaPath, seconds, waveform: waveform ?? null } }
}
