import type { Scope } from '../../kernel/data/scope.ts'
import type { CustomerAction } from './customer-actions.ts'
import type { SandboxExtra } from './events.ts'

export type NewPhoneMessage = {
  id: string
  chat: string
  kind: string
  body: string
  extra: SandboxExtra
  media: CustomerAction['media']
  quotedId: string | null
  at: Date
}
/** Shows a message from the desk on the customer's phone, and queues its acknowledgements. Once per id. */
export async function showOnPhone(scope: Scope, whatsappId: number, message: NewPhoneMessage): Promise<void> {
  const { media } = message
  const shared = {
    companyId: scope.companyId,
    whatsappId,
    chat: message.chat,
    fromCustomer: false,
    author: null,
    reaction: null,
    at: message.at,
  }
  const noMedia = { mediaPath: null, mediaName: null, mediaType: null }
  const ticks: SandboxExtra = { ids: [message.id], acks: [2, 3] }
  await scope.db
    .insertInto('sandboxMessages')
    .values([
      {
        ...shared,
        ...(media ?? noMedia),
        id: message.id,
        kind: message.kind,
        body: message.body,
        content: JSON.stringify(message.extra),
        quotedId: message.quotedId,
        ack: 3,
        delivered: true,
      },
      {
        ...shared,
        ...noMedia,
        id: `${message.id}:ticks`,
        kind: 'ack',
        content: JSON.stringify(ticks),
        quotedId: null,
        delivered: false,
      },
    ])
    .onConflict((c) => c.doNothing())
    .execute()
}

export const isOnPhone = async (scope: Scope, whatsappId: number, id: string): Promise<boolean> =>
  (await scope.db
    .selectFrom('sandboxMessages')
    .select('seq')
    .where('whatsappId', '=', whatsappId)
    .where('id', '=', id)
    .executeTakeFirst()) !== undefined

/** The desk edited or revoked a message, or reacted to it. Returns the chat whose phone changed. */
export async function changePhoneMessage(
  scope: Scope,
  whatsappId: number,
  id: string,
  changes: { body?: string; isEdited?: boolean; isDeleted?: boolean; reaction?: string | null },
): Promise<string | undefined> {
  const row = await scope.db
    .updateTable('sandboxMessages')
    .set(changes)
    .where('whatsappId', '=', whatsappId)
    .where('id', '=', id)
    .returning('chat')
    .executeTakeFirst()
  return row?.chat
}

/** The desk has read the customer's messages: the phone shows blue ticks. */
export async function markReadByDesk(scope: Scope, whatsappId: number, chat: string, ids: string[]): Promise<void> {
  let unreadMessages = scope.db
    .updateTable('sandboxMessages')
    .set({ ack: 4 })
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
  unreadMessages = unreadMessages.where('chat', '=', chat).where('fromCustomer', '=', true).where('ack', '<', 4)
  await (ids.length ? unreadMessages.where('id', 'in', ids) : unreadMessages).execute()
}
