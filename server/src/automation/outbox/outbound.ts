import { once } from 'node:events'
import type { Readable } from 'node:stream'
import type { Waiting } from '../../desk/messages/outgoing.ts'
import type { SendAs } from '../../desk/tables.ts'
import type { Means } from '../../kernel/data/scope.ts'
import { isPassing } from '../../kernel/errors.ts'
import { LineRefusal, type LineRow, type OutboundMessage } from '../../lines/line.ts'
import { chatOf } from './chat.ts'

const mediaKinds = ['image', 'audio', 'video', 'application', 'sticker'] as const
type MediaKind = (typeof mediaKinds)[number]

/** As the line takes it. */
export function outbound(means: Means, row: LineRow, m: Waiting): OutboundMessage {
  const kind = mediaKinds.find((k) => k === m.mediaType)
  const { voice, typeMs: _, ...sendAs } = m.sendAs ?? {}
  return {
    id: m.wid,
    chat: chatOf(m, row.provider),
    body: m.body,
    ...(m.quoted && { quoted: m.quoted }),
    ...sendAs,
    ...(kind && m.mediaPath && { media: voice ? spoken(means, row, m, voice) : media(means, row, m, kind) }),
  }
}

function media(means: Means, row: LineRow, m: Waiting, type: MediaKind): OutboundMessage['media'] {
  const name = m.mediaName ?? 'file'
  return {
    type,
    name,
    mime: means.files.typeOf(m.mediaPath as string),
    voice: type === 'audio' && name.includes('audio-record-site'),
    open: () => opened(means.files.read(row.companyId, m.mediaPath as string)),
  }
}

/** As it was recorded beside the file that is played here. */
function spoken(
  means: Means,
  row: LineRow,
  m: Waiting,
  { path, seconds, waveform }: NonNullable<SendAs['voice']>,
): OutboundMessage['media'] {
  return {
    type: 'audio',
    name: (m.mediaName ?? 'voice').replace(/(\.\w+)?$/, '.ogg'),
    mime: 'audio/ogg',
    voice: true,
    seconds,
    ...(waveform && { waveform: Uint8Array.from(waveform) }),
    open: () => opened(means.files.read(row.companyId, path)),
  }
}

/** A file that is not there any more will not be there later; a store that is out of reach will. */
async function opened(file: Readable): Promise<Readable> {
  await once(file, 'open').catch((error: NodeJS.ErrnoException) => {
    throw isPassing(error) ? error : new LineRefusal('file-missing')
  })
  return file
}
