import { formatStoredLocation } from '@recado/contract/text/location-and-card'
import { deskTexts } from '../src/desk/texts.ts'
import { fileNameFor } from './media/store-file.ts'
import type { StoryMessage } from './story.ts'

/** The location of a fictional place. */
const demoLocation = { latitude: -33.9, longitude: -64.3 }

export const makeContactCard = (name: string, number: string): { name: string; vcard: string } => ({
  name,
  vcard: `BEGIN:VCARD\nVERSION:3.0\nFN:${name}\nTEL;type=CELL;waid=${number}:+${number}\nEND:VCARD`,
})
export const makeLocation = (name: string) => ({ ...demoLocation, name })

/** How the desk stores each kind of message, and its list preview (see automation/inbox/message.ts). */
export function messageContent(said: StoryMessage): { body: string; last: string } {
  switch (said.kind) {
    case 'place': {
      const { body, line } = formatStoredLocation(makeLocation(said.attachment))
      return { body, last: line }
    }
    case 'card':
      return { body: makeContactCard(said.attachment, said.text).vcard, last: said.attachment }
    case 'call':
      return { body: deskTexts.es.missedCall, last: deskTexts.es.missedCall }
    default:
      return { body: said.text, last: said.text || fileNameFor(said) }
  }
}
