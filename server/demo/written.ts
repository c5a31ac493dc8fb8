import { writtenPlace } from '@recado/contract/words/written'
import { deskTexts } from '../src/desk/texts.ts'
import { fileName } from './media/keep.ts'
import type { Spoken } from './story.ts'

/** A valley off every coast. */
const place = { latitude: -33.9, longitude: -64.3 }

export const cardOf = (name: string, number: string): { name: string; vcard: string } => ({
  name,
  vcard: `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nTEL;type=CELL;waid=${number}:+${number}\nEND:VCARD`,
})
export const placeOf = (name: string) => ({ ...place, name })

/** How the desk writes each kind down, and what its list shows of it (see automation/inbox/message.ts). */
export function written(said: Spoken): { body: string; last: string } {
  switch (said.kind) {
    case 'place': {
      const { body, line } = writtenPlace(placeOf(said.thing))
      return { body, last: line }
    }
    case 'card':
      return { body: cardOf(said.thing, said.text).vcard, last: said.thing }
    case 'call':
      return { body: deskTexts.es.missedCall, last: deskTexts.es.missedCall }
    default:
      return { body: said.text, last: said.text || fileName(said) }
  }
}
