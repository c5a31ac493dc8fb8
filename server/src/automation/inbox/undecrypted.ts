import { waitingMessageBody } from '@recado/contract/messages'
import type { NotNull } from 'kysely'
import { fillPlaceholder, removePlaceholder } from '../../desk/messages/receive.ts'
import { refreshLastMessage } from '../../desk/messages/store.ts'
import { deskTexts } from '../../desk/texts.ts'
import { publishThreadChanged } from '../../desk/thread-updates.ts'
import { setLastMessage } from '../../desk/tickets/base/message-activity.ts'
import { lockTicket, presentTicket } from '../../desk/tickets/base/ticket-view.ts'
import { makeStep } from '../../desk/tickets/base/tracking.ts'
import { removeTicket } from '../../desk/tickets/lifecycle.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { InboundEvent, LineRow, MessageContent } from '../../lines/line.ts'
import type { Bot } from '../bot-actions/bot.ts'
import { runBots } from '../bots/turn.ts'
import { loadRulebook } from '../rulebook.ts'
import { botTextOf, handleMessage, toCustomerAnswer, toMessageContent } from './message.ts'
import type { EventOutcome } from './steps.ts'
import { correctVendorClock } from './vendor-clock.ts'

type EventOf<K extends InboundEvent['kind']> = Extract<InboundEvent, { kind: K }>

/** Stores a placeholder for a message that cannot be decrypted yet. */
export async function handleUndecrypted(scope: Scope, row: LineRow, event: EventOf<'pending'>): Promise<EventOutcome> {
  const content: MessageContent = { kind: 'unknown', what: waitingMessageBody }
  const outcome = await handleMessage(scope, row, { ...event, kind: 'message', content }, undefined, true)
  if (outcome.ticketId !== null) await setWaitingLastMessage(scope, outcome.ticketId)
  return outcome
}

async function setWaitingLastMessage(scope: Scope, ticketId: number): Promise<void> {
  const { language } = await loadRulebook(scope)
  await setLastMessage(scope, ticketId, deskTexts[language].waiting, waitingMessageBody)
}

/** The decrypted message replaces its placeholder, and the bots take their turn. */
export async function handleDecrypted(
  scope: Scope,
  row: LineRow,
  event: EventOf<'fill'>,
  bots?: readonly Bot[],
): Promise<EventOutcome> {
  const place = await findPlaceholder(scope, row, event.id)
  const { content } = event
  if (!place) return content ? handleMessage(scope, row, { ...event, kind: 'message', content }, bots) : wasNoMessage
  await lockTicket(scope, place.ticketId)
  if (!content) return removeEmptyPlaceholder(scope, row, place)
  const { last: _last, ...words } = toMessageContent(content)
  await fillPlaceholder(scope, place.id, { ...words, whatsappId: row.id, quotedWid: event.quotedId ?? null })
  const said =
    !event.fromMe && !event.group ? await runBotsOnDecrypted(scope, row, place, { ...event, content }, bots) : []
  return { ticketId: place.ticketId, steps: [makeStep('filled', 'came-later'), ...said] }
}

type Placeholder = NonNullable<Awaited<ReturnType<typeof findPlaceholder>>>

/** The decrypted event was a reaction or a protocol message, not part of the conversation: removes the placeholder. */
async function removeEmptyPlaceholder(scope: Scope, row: LineRow, place: Placeholder): Promise<EventOutcome> {
  const { ticketId, contactId } = place
  const before = await presentTicket(scope, ticketId)
  await removePlaceholder(scope, place)
  await publishThreadChanged(scope, [contactId], row.id)
  // Removes a ticket that only the placeholder opened.
  const isEmpty = before.status === 'pending' && before.userId === null && (await hasNoMessages(scope, ticketId))
  if (isEmpty) await removeTicket(scope, before)
  else await refreshLastMessage(scope, ticketId)
  return { ticketId: isEmpty ? null : ticketId, steps: [makeStep('filled', 'was-no-message')] }
}

async function hasNoMessages(scope: Scope, ticketId: number): Promise<boolean> {
  const any = await scope.db
    .selectFrom('messages')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .limit(1)
    .executeTakeFirst()
  return any === undefined
}

const wasNoMessage: EventOutcome = { ticketId: null, steps: [makeStep('nothing', 'was-no-message')] }

const findPlaceholder = (scope: Scope, row: LineRow, wid: string) =>
  scope.db
    .selectFrom('messages')
    .select(['id', 'ticketId', 'contactId', 'read'])
    .where('companyId', '=', row.companyId)
    .where('whatsappId', '=', row.id)
    .where('wid', '=', wid)
    .where('mediaType', '=', 'unknown')
    .where('body', '=', waitingMessageBody)
    .$narrowType<{ ticketId: NotNull }>()
    .executeTakeFirst()

async function runBotsOnDecrypted(
  scope: Scope,
  row: LineRow,
  { id, ticketId }: Placeholder,
  event: EventOf<'fill'> & { content: MessageContent },
  bots?: readonly Bot[],
) {
  const { content } = event
  const at = await correctVendorClock(scope, row, event)
  const heard = {
    ...{ text: botTextOf(content), writtenAt: at, isReopened: false, pendingRating: null },
    ...{ answer: toCustomerAnswer(content, id), correctedTime: async () => at },
  }
  const { steps } = await runBots(scope, await loadRulebook(scope), await presentTicket(scope, ticketId), heard, bots)
  return steps
}
