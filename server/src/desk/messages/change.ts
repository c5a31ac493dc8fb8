import { type Message, messageEditWindowMs } from '@recado/contract/messages'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { assertReplyWindowOpen } from '../reply-window.ts'
import { composeText } from './compose.ts'
import { addLineTask, type LineTask } from './line-tasks.ts'
import { changeMessage, generateWid } from './store.ts'
import {
  assertSupportedByLine,
  findWritableTicket,
  type LockedMessage,
  lockMessage,
  lockOwnMessage,
} from './write-permissions.ts'

/** Edits a text of our own. An unsent message is sent with the new text; the outbox corrects a message being sent. */
export async function editMessage(scope: Scope, id: string, text: string): Promise<Message> {
  const { row } = await lockOwnMessage(scope, id)
  const ticket = await findWritableTicket(scope, row)
  if (!isEditable(scope, row)) throw new AppError('ERR_EDITING_WAPP_MSG')
  const body = await composeText(scope, ticket, text)
  if (row.state === 'queued' || row.state === 'failed' || body === row.body)
    return changeMessage(scope, row.id, { body })
  await assertSupportedByLine(scope, row.whatsappId, 'edit')
  if (row.state === 'sent') {
    const { contactId, wid } = row
    await addLineTask(scope, row.whatsappId, {
      kind: 'edit',
      contactId,
      wid,
      body,
      was: await versionOnCustomerPhone(scope, row),
    })
  }
  return changeMessage(scope, row.id, { body, isEdited: true, error: null })
}

function isEditable(scope: Scope, { mediaType, isDeleted, bot, sendAs, createdAt }: LockedMessage): boolean {
  const age = scope.now().getTime() - Date.parse(createdAt)
  return mediaType === 'conversation' && !isDeleted && bot === null && !sendAs && age < messageEditWindowMs
}

/** The text that the customer's phone shows: an edit that is still pending has not changed it. */
const versionOnCustomerPhone = async (scope: Scope, held: LockedMessage) =>
  (await findFirstWaitingTask(scope, held, 'edit'))?.was ?? { body: held.body, isEdited: held.isEdited }

/** The oldest waiting line task of this kind for the message. */
async function findFirstWaitingTask<K extends 'edit' | 'react'>(
  scope: Scope,
  { whatsappId, wid }: LockedMessage,
  kind: K,
): Promise<Extract<LineTask, { kind: K }> | undefined> {
  const waiting = await scope.db
    .selectFrom('lineErrands')
    .select('errand')
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .orderBy('id')
    .execute()
  const lineTasks = waiting.map(({ errand: lineTask }) => lineTask as unknown as LineTask)
  return lineTasks.find(
    (lineTask): lineTask is Extract<LineTask, { kind: K }> =>
      lineTask.kind === kind && 'wid' in lineTask && lineTask.wid === wid,
  )
}

/** The company has one reaction per message, whichever agent reacts. */
export async function reactToMessage(scope: Scope, id: string, emoji: string): Promise<Message> {
  const row = await lockMessage(scope, id)
  const ticket = await findWritableTicket(scope, row)
  if (row.isDeleted) throw new AppError('ERR_NO_MESSAGE_FOUND')
  // A message that did not arrive does not exist on the customer's phone.
  if (row.fromMe && row.state !== 'sent') throw new AppError('ERR_FETCH_WAPP_MSG')
  await assertSupportedByLine(scope, row.whatsappId, 'reaction')
  assertReplyWindowOpen(scope, ticket)
  const { contactId, wid } = row
  const shown = ownReaction(row.reactions)
  if (shown !== emoji) {
    // A pending reaction is not on the customer's phone yet, and this one replaces it.
    const was = (await findFirstWaitingTask(scope, row, 'react'))?.was ?? shown
    await addLineTask(scope, row.whatsappId, { kind: 'react', contactId, wid, id: generateWid(), emoji, was })
  }
  return changeMessage(scope, row.id, { reactions: withOwnReaction(row.reactions, emoji, scope.actor.name) })
}

/** Our own reaction; empty if there is none. */
export const ownReaction = (all: LockedMessage['reactions']): string => all.find((one) => one.fromMe)?.emoji ?? ''

/** The list with our own reaction replaced; removed if it is empty. */
export function withOwnReaction(all: LockedMessage['reactions'], emoji: string, name: string): string {
  const others = all.filter((one) => !one.fromMe)
  return JSON.stringify(emoji ? [...others, { emoji, fromMe: true, name, from: '' }] : others)
}
