import type { Message } from '@recado/contract/messages'
import { sql } from 'kysely'
import { addMs, seconds } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { setReplySnapshot, withdrawMessages } from '../messages/outgoing.ts'
import { changeMessage, type OutgoingContent, refreshLastMessage } from '../messages/store.ts'
import { findMessages } from '../messages/view.ts'
import { type LockedMessage, lockOwnMessage } from '../messages/write-permissions.ts'
import type { ReplySnapshot } from '../tables.ts'
import { restoreReplySnapshot, takeReplySnapshot } from '../tickets/base/message-activity.ts'
import { isUndoable } from '../undo-window.ts'

/**
 * How a message is held that its author may take back. The row exists from the beginning, so a process that dies
 * loses nothing: whichever process runs the line sends the message at its time.
 */
export async function holdForUndo(
  scope: Scope,
  ticketId: number,
  undoSeconds: number | undefined,
): Promise<Pick<OutgoingContent, 'notBefore' | 'undo'>> {
  if (!undoSeconds || !isUndoable(scope)) return {}
  const undo = await takeReplySnapshot(scope, ticketId)
  return { notBefore: addMs(scope.now(), seconds(undoSeconds)), undo }
}

/** Takes back an own message that has not left. The ticket is as before: the customer waits again. */
export async function undoSend(scope: Scope, id: string): Promise<Message> {
  const row = await lockHeldMessage(scope, id)
  const [message] = await findMessages(scope, sql`m.id = ${row.id}`)
  const next = await findNextReply(scope, row)
  await withdrawMessages(scope, [row])
  if (row.ticketId !== null) {
    if (row.undo && !next) await restoreReplySnapshot(scope, row.ticketId, row.undo)
    await refreshLastMessage(scope, row.ticketId)
  }
  // The next message is now the one that ended the wait, so taking it back restores the wait.
  if (row.undo && next?.undo) await setReplySnapshot(scope, next.id, row.undo)
  return message as Message
}

/** Ends the hold of an own message. An earlier message to the same customer still goes first. */
export async function sendHeldNow(scope: Scope, id: string): Promise<Message> {
  const row = await lockHeldMessage(scope, id)
  await scope.signal('outbox', row.whatsappId)
  return changeMessage(scope, row.id, { notBefore: null, undo: null })
}

async function lockHeldMessage(scope: Scope, id: string): Promise<LockedMessage> {
  const { row } = await lockOwnMessage(scope, id)
  const isOwn = row.userId === scope.actor.id && row.bot === null && isUndoable(scope)
  const isHeld = row.state === 'queued' && row.notBefore !== null && new Date(row.notBefore) > scope.now()
  if (!isOwn || !isHeld || row.isDeleted) throw new AppError('ERR_UNDO_TOO_LATE')
  return row
}

/** The next message of a person in the same ticket. */
async function findNextReply(
  scope: Scope,
  { id, ticketId }: LockedMessage,
): Promise<{ id: number; undo: ReplySnapshot | null } | undefined> {
  return scope.db
    .selectFrom('messages')
    .select(['id', 'undo'])
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .where('id', '>', id)
    .where('fromMe', '=', true)
    .where('bot', 'is', null)
    .where('isDeleted', '=', false)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}
