import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { OutgoingMessage } from '../../desk/messages/outgoing.ts'
import type { SendAs } from '../../desk/tables.ts'
import type { Deps } from '../../kernel/data/scope.ts'
import { isTransientError } from '../../kernel/errors.ts'
import { LineRefusedError, type LineRow, type OutboundMessage } from '../../lines/line.ts'
import { chatIdOf } from './chat.ts'

const mediaKinds = ['image', 'audio', 'video', 'application', 'sticker'] as const
type MediaKind = (typeof mediaKinds)[number]

/** Converts a stored message to the format that lines send. */
export function toOutboundMessage(deps: Deps, row: LineRow, m: OutgoingMessage): OutboundMessage {
  const kind = mediaKinds.find((k) => k === m.mediaType)
  const { voice, typeMs: _, ...sendAs } = m.sendAs ?? {}
  return {
    id: m.wid,
    chat: chatIdOf(m, row.provider),
    body: m.body,
    ...(m.quoted && { quoted: m.quoted }),
    ...sendAs,
    ...(kind && m.mediaPath && { media: voice ? toVoiceNote(deps, row, m, voice) : toMedia(deps, row, m, kind) }),
  }
}

function toMedia(deps: Deps, row: LineRow, m: OutgoingMessage, type: MediaKind): OutboundMessage['media'] {
  const name = m.mediaName ?? 'file'
  return {
    type,
    name,
    mime: deps.files.typeOf(m.mediaPath as string),
    voice: type === 'audio' && name.includes('audio-record-site'),
    open: () => openFile(deps.files.read(row.companyId, m.mediaPath as string)),
  }
}

/** The original recording as a voice note. It is stored beside the file that the browser plays. */
function toVoiceNote(
  deps: Deps,
  row: LineRow,
  m: OutgoingMessage,
  { path, seconds, waveform }: NonNullable<SendAs['voice']>,
): OutboundMessage['media'] {
  return {
    type: 'audio',
    name: (m.mediaName ?? 'voice').replace(/(\.\w+)?$/, '.ogg'),
    mime: 'audio/ogg',
    voice: true,
    seconds,
    ...(waveform && { waveform: Uint8Array.from(waveform) }),
    open: () => openFile(deps.files.read(row.companyId, path)),
  }
}

/** A missing file is a permanent error; an unreachable store is not. */
async function openFile(file: Readable): Promise<Readable> {
  await once(file, 'open').catch((error: NodeJS.ErrnoException) => {
    throw isTransientError(error) ? error : new LineRefusedError('file-missing')
  })
  return file
}
