import { waitingMark } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { plainText } from '../message/body/rich-text.ts'
import type { PreviewWords } from './preview-texts.ts'

export type Kind = keyof PreviewWords['kinds']

const kindOf: Record<string, Kind> = {
  image: 'photo',
  video: 'video',
  audio: 'audio',
  application: 'file',
  locationMessage: 'location',
  contactMessage: 'contact',
  vcard: 'contact',
  call_log: 'call',
  sticker: 'sticker',
}

/** A signature stands above the words of an agent; in one line it only takes room. */
const signature = /^\*[^*\n]{1,80}:\*\s*\n?/
/** What a file without words leaves behind is its name. */
const fileName = /^\S+\.\w{2,5}$/

/** The second line of a row: what was said last, and by which kind of message. What our bot said is not news to anybody. */
export function previewOf(ticket: Ticket, words: PreviewWords['kinds']): { kind: Kind | null; text: string } {
  const { heard } = ticket
  const [body, mediaType] = heard ? [heard.body, heard.mediaType] : [ticket.lastMessage, ticket.last?.mediaType]
  if (mediaType === 'unknown') return unknownOf(body, words)
  const kind = kindOf[mediaType ?? ''] ?? null
  const said = plainText(body.replace(signature, '')).replace(/\s+/g, ' ').trim()
  if (kind === null) return { kind, text: said }
  const nameless = said === '' || ((kind === 'photo' || kind === 'video') && fileName.test(said))
  const worded = kind === 'audio' || kind === 'location' || kind === 'sticker' || nameless
  return { kind, text: worded ? words[kind] : said }
}

/** What cannot be shown travels as a word; the question of a poll stands in the line below. */
function unknownOf(body: string, words: PreviewWords['kinds']): { kind: Kind; text: string } {
  const [what, question] = body.split('\n')
  if (what === 'poll' || (what === 'poll-vote' && question)) return { kind: 'poll', text: question || words.poll }
  const kind = what === waitingMark ? 'waiting' : what === 'view-once' ? 'viewOnce' : 'unknown'
  return { kind, text: words[kind] }
}
