import { ownReaction, withOwnReaction } from '../../desk/messages/change.ts'
import type { LineTask } from '../../desk/messages/line-tasks.ts'
import { changeMessage } from '../../desk/messages/store.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { ChatId, Line, LineRow } from '../../lines/line.ts'
import { findChatId } from './chat.ts'

type LineTaskOf<K extends LineTask['kind']> = Extract<LineTask, { kind: K }>

const findMessage = (scope: Scope, row: LineRow, wid: string) =>
  scope.db
    .selectFrom('messages')
    .select(['id', 'body', 'fromMe', 'senderId', 'state', 'isDeleted', 'reactions'])
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', row.id)
    .where('wid', '=', wid)
    .executeTakeFirst()

/** Sends an edit. If the agent edited again meanwhile, the newer edit is sent after this one. */
export async function sendEdit(
  scope: Scope,
  row: LineRow,
  line: Line,
  chat: ChatId,
  lineTask: LineTaskOf<'edit'>,
): Promise<void> {
  const message = await findMessage(scope, row, lineTask.wid)
  if (message && !message.isDeleted && message.body === lineTask.body)
    await line.edit(chat, lineTask.wid, lineTask.body)
}

/** Restores the text that the customer still sees. */
export async function undoEdit(scope: Scope, row: LineRow, { wid, body, was }: LineTaskOf<'edit'>): Promise<void> {
  await scope.transaction(async (tx) => {
    const message = await findMessage(tx, row, wid)
    if (message?.body === body) await changeMessage(tx, message.id, { ...was, error: 'not-edited' })
  })
}

export async function sendReaction(
  scope: Scope,
  row: LineRow,
  line: Line,
  chat: ChatId,
  { wid: targetId, id, emoji }: LineTaskOf<'react'>,
): Promise<void> {
  const message = await findMessage(scope, row, targetId)
  if (!message || message.isDeleted) return
  // The agent has chosen another reaction since: it is queued behind this one, or overtook it during a retry. Only the
  // last reaction counts.
  if (ownReaction(message.reactions) !== emoji) return
  const { fromMe, senderId } = message
  // In a group the author of the target must be named.
  const author = senderId && !fromMe ? await findChatId(scope, senderId, row.id) : null
  await line.send({ id, chat, body: '', reaction: { targetId, emoji, fromMe, ...(author && { author }) } })
}

export async function undoReaction(
  scope: Scope,
  row: LineRow,
  { wid, emoji, was }: LineTaskOf<'react'>,
): Promise<void> {
  await scope.transaction(async (tx) => {
    const message = await findMessage(tx, row, wid)
    const ours = message?.reactions.find((one) => one.fromMe)
    if (!message || (ours?.emoji ?? '') !== emoji) return
    await changeMessage(tx, message.id, { reactions: withOwnReaction(message.reactions, was, ours?.name ?? '') })
  })
}

/** A message that could not be deleted is shown again. */
export async function undoRevoke(scope: Scope, row: LineRow, wid: string): Promise<void> {
  const message = await findMessage(scope, row, wid)
  if (message?.state === 'sent')
    await scope.transaction((tx) => changeMessage(tx, message.id, { isDeleted: false, error: 'not-deleted' }))
}
