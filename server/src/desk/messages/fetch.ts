import type { Message } from '@recado/contract/messages'
import { sql } from 'kysely'
import { findLine } from '../../directory/connections/connections.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { presentTicket, ticketById } from '../tickets/view.ts'
import { asker, maySee } from '../tickets/visibility.ts'
import { addErrand } from './errands.ts'
import { widInThread } from './read.ts'
import { ticketOf } from './speaking.ts'
import { announceChange } from './store.ts'
import { findMessages } from './view.ts'

/** A file that did not come, or of which nobody had asked yet: the line tries, once more or at last. */
export async function fetchFile(scope: Scope, id: string): Promise<Message> {
  const row = await held(scope, Number(id))
  await mustSee(scope, row)
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
  await addErrand(scope, row.whatsappId, { kind: 'fetch', messageId: String(row.id), wanted: true })
  return (await announceChange(scope, [row.id]))[0] as Message
}

async function held(scope: Scope, id: number) {
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

/** Who reads the conversation in which it stands: by its own ticket, or by the one that the chat has now. */
async function mustSee(scope: Scope, row: Awaited<ReturnType<typeof held>>): Promise<void> {
  const viewer = asker(scope)
  const own = await ticketOf(scope, row)
  if (viewer && maySee(viewer, await presentTicket(scope, own))) return
  const living = await scope.db
    .selectFrom('tickets')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', row.contactId)
    .where('whatsappId', '=', row.whatsappId)
    .where('status', 'in', ['open', 'pending'])
    .executeTakeFirst()
  const ticket = await ticketById(scope, living?.id ?? own)
  if (!(await widInThread(scope, ticket, row.id))) throw new AppError('ERR_NO_MESSAGE_FOUND')
}
