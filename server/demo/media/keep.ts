import { Readable } from 'node:stream'
import type { MessageKind } from '@recado/contract/messages'
import type { Scope } from '../../src/kernel/data/scope.ts'
import type { Stored } from '../../src/kernel/files/files.ts'
import { keepUpload } from '../../src/kernel/files/media.ts'
import { firm } from '../firm.ts'
import type { Spoken } from '../story.ts'
import { film } from './film.ts'
import { paper } from './paper.ts'
import { picture, type Scene } from './pictures.ts'
import { voice } from './voice.ts'

type Made = { bytes: Buffer; kind: MessageKind }

const families: Partial<Record<Spoken['kind'], [before: string, ending: string]>> = {
  image: ['IMG', 'png'],
  sticker: ['STK', 'png'],
  audio: ['PTT', 'wav'],
  video: ['VID', 'mp4'],
}
/** What the telephone calls it: by its moment. Papers have names of their own. */
export function fileName(said: Spoken): string {
  const [before, ending] = families[said.kind] ?? []
  if (!before) return said.thing
  const moment = said.at.toISOString().replace(/\D/g, '')
  return `${before}-${moment.slice(0, 8)}-${moment.slice(8, 14)}.${ending}`
}

/** The file that goes with what was said; null where there is none. */
function make(said: Spoken, seed: number): Made | null {
  switch (said.kind) {
    case 'image':
    case 'sticker':
      return { bytes: picture(said.thing as Scene, seed), kind: said.kind }
    case 'audio':
      return { bytes: voice(Number(said.thing), seed), kind: 'audio' }
    case 'video':
      return { bytes: film(seed), kind: 'video' }
    case 'paper':
      return { bytes: paper(said.thing.replace('.pdf', ''), [firm.name, said.text]), kind: 'application' }
    default:
      return null
  }
}

export type Kept = { kind: MessageKind; desk: Stored; phone: Stored; size: number; pages: number | null }

/** Twice, as it is in life: the desk and the telephone have each their own. */
export async function keepFile(scope: Scope, said: Spoken, seed: number): Promise<Kept | null> {
  const made = make(said, seed)
  if (!made) return null
  const receive = () => scope.means.files.receive(Readable.from([made.bytes]), fileName(said))
  const upload = await receive()
  const desk = await keepUpload(scope, upload)
  const phone = await keepUpload(scope, await receive())
  return { kind: made.kind, desk, phone, size: upload.size, pages: upload.pages }
}
