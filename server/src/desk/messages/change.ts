import { editableMs, type Message } from '@recado/contract/messages'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { mustBeInWindow } from '../window.ts'
import { composeText } from './compose.ts'
import { addErrand, type Errand } from './errands.ts'
import { type Held, heldMessage, mustBeAble, ownMessage, speakingIn } from './speaking.ts'
import { changeMessage, newWid } from './store.ts'

/** New words for an own text. What has not left yet leaves with them; what is leaving is corrected by who sends it. */
export async function edit(scope: Scope, id: string, text: string): Promise<Message> {
  const { row } = await ownMessage(scope, id)
  const ticket = await speakingIn(scope, row)
  if (!isEditable(scope, row)) throw new AppError('ERR_EDITING_WAPP_MSG')
  const body = await composeText(scope, ticket, text)
  if (row.state === 'queued' || row.state === 'failed' || body === row.body)
    return changeMessage(scope, row.id, { body })
  await mustBeAble(scope, row.whatsappId, 'edit')
  if (row.state === 'sent') {
    const { contactId, wid } = row
    await addErrand(scope, row.whatsappId, { kind: 'edit', contactId, wid, body, was: await seenByThem(scope, row) })
  }
  return changeMessage(scope, row.id, { body, isEdited: true, error: null })
}

function isEditable(scope: Scope, { mediaType, isDeleted, bot, sendAs, createdAt }: Held): boolean {
  const age = scope.now().getTime() - Date.parse(createdAt)
  return mediaType === 'conversation' && !isDeleted && bot === null && !sendAs && age < editableMs
}

/** What stands on the customer's phone: an edit that still waits has changed nothing there. */
const seenByThem = async (scope: Scope, held: Held) =>
  (await firstWaiting(scope, held, 'edit'))?.was ?? { body: held.body, isEdited: held.isEdited }

/** The oldest errand of this kind that still waits for the message. */
async function firstWaiting<K extends 'edit' | 'react'>(
  scope: Scope,
  { whatsappId, wid }: Held,
  kind: K,
): Promise<Extract<Errand, { kind: K }> | undefined> {
  const waiting = await scope.db
    .selectFrom('lineErrands')
    .select('errand')
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', whatsappId)
    .orderBy('id')
    .execute()
  const errands = waiting.map(({ errand }) => errand as unknown as Errand)
  return errands.find(
    (errand): errand is Extract<Errand, { kind: K }> => errand.kind === kind && 'wid' in errand && errand.wid === wid,
  )
}

/** The house has one reaction to a message, whoever of it reacts. */
export async function react(scope: Scope, id: string, emoji: string): Promise<Message> {
  const row = await heldMessage(scope, id)
  const ticket = await speakingIn(scope, row)
  if (row.isDeleted) throw new AppError('ERR_NO_MESSAGE_FOUND')
  // Of what did not arrive there the customer's phone knows nothing.
  if (row.fromMe && row.state !== 'sent') throw new AppError('ERR_FETCH_WAPP_MSG')
  await mustBeAble(scope, row.whatsappId, 'reaction')
  mustBeInWindow(scope, ticket)
  const { contactId, wid } = row
  const shown = ownSign(row.reactions)
  if (shown !== emoji) {
    // One that still waits is not on their phone, and will not come there any more.
    const was = (await firstWaiting(scope, row, 'react'))?.was ?? shown
    await addErrand(scope, row.whatsappId, { kind: 'react', contactId, wid, id: newWid(), emoji, was })
  }
  return changeMessage(scope, row.id, { reactions: withOurs(row.reactions, emoji, scope.actor.name) })
}

/** Ours among them; empty where there is none. */
export const ownSign = (all: Held['reactions']): string => all.find((one) => one.fromMe)?.emoji ?? ''

/** Ours, in its place; none where it is empty. */
export function withOurs(all: Held['reactions'], emoji: string, name: string): string {
  const others = all.filter((one) => !one.fromMe)
  return JSON.stringify(emoji ? [...others, { emoji, fromMe: true, name, from: '' }] : others)
}
