import type { MessageKind } from '@recado/contract/messages'
import { messagePreviewText } from '@recado/contract/text/location-and-card'
import type { ModelMessage } from '../../directory/ai/model/chat.ts'
import type { Scope } from '../../kernel/data/scope.ts'

/** A ticket message, reduced to what a model may see. */
export type HistoryMessage = {
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

/** The latest messages of a ticket, oldest first and without duplicates; up to a past moment, if given. */
export async function loadHistory(
  scope: Scope,
  ticketId: number,
  most: number,
  until?: Date | string,
): Promise<HistoryMessage[]> {
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

/** The customer's messages since our last message: they have to be answered. */
export function unansweredMessages(lines: HistoryMessage[]): HistoryMessage[] {
  const last = lines.findLastIndex((line) => line.fromMe)
  return lines.slice(last + 1)
}

const kindLabels: Partial<Record<MessageKind, string>> = {
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
/** Longer than any real message; the rest would only cost tokens. */
const maxMessageLength = 8000

/** A message as text. Media types are named in brackets. */
export function messageToText({ mediaType, body, transcript }: HistoryMessage): string {
  const kind = mediaType && kindLabels[mediaType]
  const words = (transcript || (mediaType === 'unknown' ? '' : messagePreviewText(mediaType, body)))
    .slice(0, maxMessageLength)
    .trim()
  return kind ? `[${kind}]${words && ` ${words}`}` : words
}

export const toChatMessage = (line: HistoryMessage): ModelMessage =>
  line.fromMe ? { role: 'assistant', content: messageToText(line) } : { role: 'user', content: messageToText(line) }
