import type { MessageKind } from '@recado/contract/messages'
import { messagePreviewText } from '@recado/contract/text/location-and-card'
import type { ModelMessage } from '../../directory/ai/model/chat.ts'
import type { Scope } from '../../kernel/data/scope.ts'

/** One message of a ticket, as far as a model may know it. */
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

/** The last of what was said in a ticket, oldest first, each once; up to a moment that has passed, where one is given. */
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

/** What the customer wrote since we last said something: that is what has to be answered. */
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
/** More than anybody says in one message to a machine; the rest would only cost. */
const maxMessageLength = 8000

/** A message in words. What is none is named, in brackets. */
export function messageToText({ mediaType, body, transcript }: HistoryMessage): string {
  const kind = mediaType && kindLabels[mediaType]
  const words = (transcript || (mediaType === 'unknown' ? '' : messagePreviewText(mediaType, body)))
    .slice(0, maxMessageLength)
    .trim()
  return kind ? `[${kind}]${words && ` ${words}`}` : words
}

export const toChatMessage = (line: HistoryMessage): ModelMessage =>
  line.fromMe ? { role: 'assistant', content: messageToText(line) } : { role: 'user', content: messageToText(line) }
