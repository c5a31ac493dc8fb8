import type { MessageKind } from '@recado/contract/messages'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { decrementUnread, recordIncoming } from '../tickets/message-activity.ts'
import { insertMessages } from './insert.ts'
import { addLineTask } from './line-tasks.ts'
import { changeMessage } from './store.ts'
import { publishMessageWebhooks } from './webhook-events.ts'

/** A message as a line told it, and where it belongs. */
export type IncomingMessage = {
  whatsappId: number
  ticketId: number
  contactId: number
  /** Who of a group wrote. */
  senderId?: number | null
  /** The vendor's id of it. */
  wid: string
  fromMe: boolean
  body: string
  mediaType: MessageKind
  /** The file that belongs to it, and how the line can fetch it. */
  media?: { name: string; key: Record<string, unknown> } | null
  quotedWid?: string | null
  /** Which campaign it answers to. */
  campaignId?: number | null
  /** The sender's clock. */
  at: string
}

/** `answered`: it was typed on the phone itself by somebody who has read what was there. */
type ReceivedMessage = { id: number; answered: boolean }

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
 * Somebody wrote, or called. `last`: what lists say of it. `settled`: nobody has to read it. `begins`: its ticket was
 * opened with it, and shows it already.
 */
export async function receiveMessage(
  scope: Scope,
  message: IncomingMessage,
  { last, settled = false, begins = false }: { last: string; settled?: boolean; begins?: boolean },
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
  return { id, answered: fromMe && (await markAllRead(scope, ticketId)) }
}

/** `ack`: how far one of ours had come. */
type HistoryState = {
  ack?: 2 | 3 | 4 | 5 | undefined
  reactions?: DB['messages']['reactions']['__select__'] | undefined
}

/**
 * What was said before the desk: stored at its own time, and that is all. Its file stays on the phone until somebody
 * wants it: those of years would be gigabytes that nobody asked for.
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

/** Who answers from the phone has read what was there. */
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

/** What stood there unread becomes what it is, in its place. */
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

/** It turned out to be no message: its place goes. */
export async function removePlaceholder(
  scope: Scope,
  { id, ticketId, read }: { id: number; ticketId: number; read: boolean },
): Promise<void> {
  await scope.db.deleteFrom('messages').where('companyId', '=', scope.companyId).where('id', '=', id).execute()
  if (!read) await decrementUnread(scope, ticketId)
}
