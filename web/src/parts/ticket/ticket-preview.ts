import { waitingMessageBody } from '@recado/contract/messages'
import type { Ticket } from '@recado/contract/tickets'
import { stripFormatting } from '../message/body/rich-text.ts'
import type { PreviewTexts } from './ticket-preview-texts.ts'

export type PreviewKind = keyof PreviewTexts['kinds']

const kindByMediaType: Record<string, PreviewKind> = {
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

/** A signature above an agent's text; a one-row preview has no room for it. */
const signaturePattern = /^\*[^*\n]{1,80}:\*\s*\n?/
/** Matches the body of a file without a caption, which is the file's name. */
const fileNamePattern = /^\S+\.\w{2,5}$/

/** The second row of text in a list row: the last message and its kind. Automatic messages are skipped. */
export function buildTicketPreview(
  ticket: Ticket,
  words: PreviewTexts['kinds'],
): { kind: PreviewKind | null; text: string } {
  const { heard } = ticket
  const [body, mediaType] = heard ? [heard.body, heard.mediaType] : [ticket.lastMessage, ticket.last?.mediaType]
  if (mediaType === 'unknown') return previewUnknown(body, words)
  const kind = kindByMediaType[mediaType ?? ''] ?? null
  const said = stripFormatting(body.replace(signaturePattern, '')).replace(/\s+/g, ' ').trim()
  if (kind === null) return { kind, text: said }
  const nameless = said === '' || ((kind === 'photo' || kind === 'video') && fileNamePattern.test(said))
  const worded = kind === 'audio' || kind === 'location' || kind === 'sticker' || nameless
  return { kind, text: worded ? words[kind] : said }
}

/** Unsupported content arrives as a code; the question of a poll is in the second row of the text. */
function previewUnknown(body: string, words: PreviewTexts['kinds']): { kind: PreviewKind; text: string } {
  const [what, question] = body.split('\n')
  if (what === 'poll' || (what === 'poll-vote' && question)) return { kind: 'poll', text: question || words.poll }
  const kind = what === waitingMessageBody ? 'waiting' : what === 'view-once' ? 'viewOnce' : 'unknown'
  return { kind, text: words[kind] }
}
