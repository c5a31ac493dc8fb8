import { Readable } from 'node:stream'
import type { MessageKind } from '@recado/contract/messages'
import type { Scope } from '../../src/kernel/data/scope.ts'
import type { MediaColumns } from '../../src/kernel/files/files.ts'
import { keepUpload } from '../../src/kernel/files/media.ts'
import { demoCompany } from '../demo-company.ts'
import type { StoryMessage } from '../story.ts'
import { makeDemoPdf } from './pdf.ts'
import { makePicture, type Scene } from './pictures.ts'
import { makeVideo } from './video.ts'
import { makeVoiceNote } from './voice-note.ts'

type GeneratedFile = { bytes: Buffer; kind: MessageKind }

const namePartsByKind: Partial<Record<StoryMessage['kind'], [before: string, ending: string]>> = {
  image: ['IMG', 'png'],
  sticker: ['STK', 'png'],
  audio: ['PTT', 'wav'],
  video: ['VID', 'mp4'],
}
/** The file name that a phone would choose, by time. Documents have their own names. */
export function fileNameFor(message: StoryMessage): string {
  const [before, ending] = namePartsByKind[message.kind] ?? []
  if (!before) return message.attachment
  const moment = message.at.toISOString().replace(/\D/g, '')
  return `${before}-${moment.slice(0, 8)}-${moment.slice(8, 14)}.${ending}`
}

/** Generates the file of a message; null if the message has no file. */
function generateFile(message: StoryMessage, seed: number): GeneratedFile | null {
  switch (message.kind) {
    case 'image':
    case 'sticker':
      return { bytes: makePicture(message.attachment as Scene, seed), kind: message.kind }
    case 'audio':
      return { bytes: makeVoiceNote(Number(message.attachment), seed), kind: 'audio' }
    case 'video':
      return { bytes: makeVideo(seed), kind: 'video' }
    case 'paper':
      return {
        bytes: makeDemoPdf(message.attachment.replace('.pdf', ''), [demoCompany.name, message.text]),
        kind: 'application',
      }
    default:
      return null
  }
}

export type StoredDemoFile = {
  kind: MessageKind
  desk: MediaColumns
  phone: MediaColumns
  size: number
  pages: number | null
}

/** Stores the file twice, as in production: the desk and the phone each have a copy. */
export async function storeDemoFile(scope: Scope, message: StoryMessage, seed: number): Promise<StoredDemoFile | null> {
  const made = generateFile(message, seed)
  if (!made) return null
  const receive = () => scope.deps.files.receive(Readable.from([made.bytes]), fileNameFor(message))
  const upload = await receive()
  const desk = await keepUpload(scope, upload)
  const phone = await keepUpload(scope, await receive())
  return { kind: made.kind, desk, phone, size: upload.size, pages: upload.pages }
}
