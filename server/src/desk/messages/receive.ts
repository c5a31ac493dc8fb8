import type { MessageKind } from '@recado/contract/messages'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import type { MessageContent } from '../../lines/line.ts'
import { decrementUnread, recordIncoming } from '../tickets/base/message-activity.ts'
import { insertMessages } from './insert.ts'
import { addLineTask } from './line-tasks.ts'
import { changeMessage } from './store.ts'
import { publishMessageWebhooks } from './webhook-events.ts'

/** A message as a line delivered it, and its chat. */
export type IncomingMessage = {
  whatsappId: number
  ticketId: number
  contactId: number
  /** The group member who wrote the message. */
  senderId?: number | null
  /** The vendor's message id. */
  wid: string
  fromMe: boolean
  body: string
  mediaType: MessageKind
  /** The message's file, and the key with which the line can download it. */
  media?: { name: string; key: Record<string, unknown> } | null
  quotedWid?: string | null
  /** The campaign that the message answers. */
  campaignId?: number | null
  /** The ad that made the customer write, and the id of the click. */
  adId?: number | null
  adClickId?: string | null
  /** When the message was written, by the sender's clock. */
  at: string
}

/** `markedRead`: the message was typed on the phone, where the earlier messages were read. */
type ReceivedMessage = { id: number; markedRead: boolean }

const toMessageRow = ({ media, at, ...message }: IncomingMessage) => ({
  ...message,
  userId: null,
  mediaPath: null,
  mediaName: media?.name ?? null,
  mediaKey: media ? JSON.stringify(media.key) : null,
  state: message.fromMe ? ('sent' as const) : ('received' as const),
  createdAt: at,
})

/**
 * Stores an incoming message or call. `last`: the preview for lists. `settled`: the message does not count as unread.
 * `begins`: the ticket was opened with this message and already shows it.
 */
export async function receiveMessage(
  scope: Scope,
  message: IncomingMessage,
  {
    preview: last,
    isRead: settled = false,
    opensTicket: begins = false,
  }: { preview: string; isRead?: boolean; opensTicket?: boolean },
): Promise<ReceivedMessage> {
  const { ticketId, fromMe, media } = message
  const [id] = (await insertMessages(scope, [
    {
      ...toMessageRow(message),
      mediaState: media ? 'pending' : 'none',
      ack: fromMe ? 2 : 0,
      read: fromMe || settled,
    },
  ])) as [number]
  if (!begins) await recordIncoming(scope, ticketId, { last, fromMe, settled })
  if (media) await addLineTask(scope, message.whatsappId, { kind: 'fetch', messageId: String(id) })
  return { id, markedRead: fromMe && (await markAllRead(scope, ticketId)) }
}

/** `ack`: the acknowledgement level of our own message. */
type HistoryState = {
  ack?: 2 | 3 | 4 | 5 | undefined
  reactions?: DB['messages']['reactions']['__select__'] | undefined
}

/**
 * Stores a message from before the line was connected, at its original time, without further effects. Its file stays on
 * the phone until a user requests it, because years of files would be gigabytes that nobody needs.
 */
export async function receiveHistoryMessage(
  scope: Scope,
  message: IncomingMessage,
  { ack = 2, reactions = [] }: HistoryState,
): Promise<void> {
  const { fromMe, media } = message
  await insertMessages(
    scope,
    [
      {
        ...toMessageRow(message),
        mediaState: media ? 'failed' : 'none',
        error: media ? 'past-media' : null,
        reactions: JSON.stringify(reactions),
        ack: fromMe ? ack : 0,
        read: true,
      },
    ],
    false,
  )
}

/** Names the file of a history message whose file was missing when it came. */
export async function fillHistoryFile(
  scope: Scope,
  whatsappId: number,
  wid: string,
  file: Extract<MessageContent, { kind: 'media' }>,
): Promise<void> {
  const { mediaType, name, body, key } = file
  const filled = await scope.db
    .updateTable('messages')
    .set({ mediaType, mediaName: name, mediaKey: JSON.stringify(key), mediaState: 'failed', error: 'past-media' })
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .where('wid', '=', wid)
    .where(sql<boolean>`"mediaKey" ->> 'placeholder' = 'true'`)
    .returning('id')
    .executeTakeFirst()
  if (filled) await changeMessage(scope, filled.id, { body })
}

/** Marks all messages as read, because the agent replied on the phone. */
async function markAllRead(scope: Scope, ticketId: number): Promise<boolean> {
  const read = await scope.db
    .updateTable('messages')
    .set({ read: true })
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .where('read', '=', false)
    .where('fromMe', '=', false)
    .returning('id')
    .execute()
  return read.length > 0
}

/** Replaces the placeholder of an undecryptable message with its content. */
export async function fillPlaceholder(
  scope: Scope,
  id: number,
  {
    whatsappId,
    mediaType,
    media,
    quotedWid,
    body,
  }: Pick<IncomingMessage, 'whatsappId' | 'mediaType' | 'media' | 'quotedWid' | 'body'>,
): Promise<void> {
  await scope.db
    .updateTable('messages')
    .set({
      mediaType,
      quotedWid: quotedWid ?? null,
      ...(media && { mediaName: media.name, mediaState: 'pending', mediaKey: JSON.stringify(media.key) }),
    })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .execute()
  await changeMessage(scope, id, { body })
  await publishMessageWebhooks(scope, 'message.state', [id])
  if (media) await addLineTask(scope, whatsappId, { kind: 'fetch', messageId: String(id) })
}

/** Removes a placeholder that turned out to be no message. */
export async function removePlaceholder(
  scope: Scope,
  { id, ticketId, read }: { id: number; ticketId: number; read: boolean },
): Promise<void> {
  await scope.db.deleteFrom('messages').where('companyId', '=', scope.companyId).where('id', '=', id).execute()
  if (!read) await decrementUnread(scope, ticketId)
}
