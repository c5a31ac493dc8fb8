import type { Message } from '@recado/contract/messages'
import { sql } from 'kysely'
import { findLine } from '../../directory/connections/find-line.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { findVisibleTicket, presentTicket } from '../tickets/base/ticket-view.ts'
import { canSeeTicket, currentViewer } from '../tickets/base/visibility.ts'
import { addLineTask } from './line-tasks.ts'
import { publishChangedMessages } from './store.ts'
import { findWidInThread } from './thread.ts'
import { findMessages } from './view.ts'
import { findTicketOfMessage } from './write-permissions.ts'

/** Requests a file that failed to download or was not requested yet. */
export async function fetchMessageFile(scope: Scope, id: string): Promise<Message> {
  const row = await lockFileMessage(scope, Number(id))
  await assertMessageVisible(scope, row)
  const [now] = await findMessages(scope, sql`m.id = ${row.id}`)
  if (row.mediaState === 'pending' || row.mediaState === 'ready') return now as Message
  if (row.mediaState !== 'failed' || !row.hasKey) throw new AppError('ERR_WAPP_DOWNLOAD_MEDIA')
  await findLine(scope, row.whatsappId)
  await scope.db
    .updateTable('messages')
    .set({ mediaState: 'pending', error: null })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', row.id)
    .execute()
  await addLineTask(scope, row.whatsappId, { kind: 'fetch', messageId: String(row.id), wanted: true })
  return (await publishChangedMessages(scope, [row.id]))[0] as Message
}

async function lockFileMessage(scope: Scope, id: number) {
  const row = await scope.db
    .selectFrom('messages')
    .select(['id', 'ticketId', 'contactId', 'whatsappId', 'mediaState', 'isDeleted'])
    .select(sql<boolean>`"mediaKey" is not null`.as('hasKey'))
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!row || row.isDeleted) throw new AppError('ERR_NO_MESSAGE_FOUND')
  return row
}

/** The user must see the conversation, through the message's own ticket or through the chat's current ticket. */
export async function assertMessageVisible(
  scope: Scope,
  row: { id: number; ticketId: number | null; contactId: number; whatsappId: number },
): Promise<void> {
  const viewer = currentViewer(scope)
  const own = await findTicketOfMessage(scope, row)
  if (viewer && canSeeTicket(viewer, await presentTicket(scope, own))) return
  const living = await scope.db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', row.contactId)
    .where('whatsappId', '=', row.whatsappId)
    .where('status', 'in', ['open', 'pending'])
    .executeTakeFirst()
  const ticket = await findVisibleTicket(scope, living?.id ?? own)
  if (!(await findWidInThread(scope, ticket, row.id))) throw new AppError('ERR_NO_MESSAGE_FOUND')
}
