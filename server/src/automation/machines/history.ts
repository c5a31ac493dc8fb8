import type { MessageKind } from '@recado/contract/messages'
import { readable } from '@recado/contract/words/written'
import type { Said } from '../../directory/machines/model/chat.ts'
import type { Scope } from '../../kernel/data/scope.ts'

/** One message of a ticket, as far as a model may know it. */
export type Line = {
  id: number
  fromMe: boolean
  body: string
  mediaType: MessageKind | null
  mediaPath: string | null
  mediaName: string | null
  mediaSize: number | null
  mediaState: 'none' | 'pending' | 'ready' | 'failed'
  transcript: string | null
}

/** The last of what was said in a ticket, oldest first, each once; up to a moment that has passed, where one is given. */
export async function linesOf(scope: Scope, ticketId: number, most: number, until?: Date | string): Promise<Line[]> {
  const all = scope.db
    .selectFrom('messages')
    .select(['id', 'fromMe', 'body', 'mediaType', 'mediaPath', 'mediaName', 'mediaSize', 'mediaState', 'transcript'])
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .where('isDeleted', '=', false)
    .orderBy('id', 'desc')
    .limit(most)
  const rows = await (until ? all.where('createdAt', '<=', until as string) : all).execute()
  return rows.reverse()
}

/** What the customer wrote since we last said something: that is what has to be answered. */
export function unanswered(lines: Line[]): Line[] {
  const last = lines.findLastIndex((line) => line.fromMe)
  return lines.slice(last + 1)
}

const kinds: Partial<Record<MessageKind, string>> = {
  image: 'picture',
  audio: 'voice note',
  video: 'video',
  application: 'document',
  sticker: 'sticker',
  locationMessage: 'place',
  contactMessage: 'contact card',
  vcard: 'contact card',
  call_log: 'call',
  unknown: 'something that cannot be shown',
}
/** More than anybody says in one message to a machine; the rest would only cost. */
const mostSigns = 8000

/** A message in words. What is none is named, in brackets. */
export function wordsOf({ mediaType, body, transcript }: Line): string {
  const kind = mediaType && kinds[mediaType]
  const words = (transcript || (mediaType === 'unknown' ? '' : readable(mediaType, body))).slice(0, mostSigns).trim()
  return kind ? `[${kind}]${words && ` ${words}`}` : words
}

export const saidIn = (line: Line): Said =>
  line.fromMe ? { role: 'assistant', content: wordsOf(line) } : { role: 'user', content: wordsOf(line) }
