import { waitingMark } from '@recado/contract/messages'
import type { NotNull } from 'kysely'
import { fillIn, takeOut } from '../../desk/messages/receive.ts'
import { renewLast } from '../../desk/messages/store.ts'
import { tellThread } from '../../desk/messages/thread-news.ts'
import { deskTexts } from '../../desk/texts.ts'
import { remove as removeTicket } from '../../desk/tickets/lifecycle.ts'
import { showLast } from '../../desk/tickets/said.ts'
import { step } from '../../desk/tickets/track.ts'
import { holdTicket, presentTicket } from '../../desk/tickets/view.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { Content, InboundEvent, LineRow } from '../../lines/line.ts'
import type { Bot } from '../bots/bot.ts'
import { takeTurn } from '../bots/turn.ts'
import { rulebookOf } from '../rulebook.ts'
import { byOurClock } from './clocks.ts'
import { message, wordsIn, written } from './message.ts'
import type { Outcome } from './steps.ts'

type Of<K extends InboundEvent['kind']> = Extract<InboundEvent, { kind: K }>

/** Somebody wrote, and what they wrote cannot be read yet: it stands in the conversation until it comes. */
export async function pending(scope: Scope, row: LineRow, event: Of<'pending'>): Promise<Outcome> {
  const content: Content = { kind: 'unknown', what: waitingMark }
  const outcome = await message(scope, row, { ...event, kind: 'message', content }, undefined, true)
  if (outcome.ticketId !== null) await showInList(scope, outcome.ticketId)
  return outcome
}

async function showInList(scope: Scope, ticketId: number): Promise<void> {
  const { language } = await rulebookOf(scope)
  await showLast(scope, ticketId, deskTexts[language].waiting, waitingMark)
}

/** It came: what waited for it becomes it, in its place, and the bots have their turn. */
export async function filled(scope: Scope, row: LineRow, event: Of<'fill'>, bots?: readonly Bot[]): Promise<Outcome> {
  const place = await placeOf(scope, row, event.id)
  const { content } = event
  if (!place) return content ? message(scope, row, { ...event, kind: 'message', content }, bots) : nothing
  await holdTicket(scope, place.ticketId)
  if (!content) return unwritten(scope, row, place)
  const { last: _last, ...words } = written(content)
  await fillIn(scope, place.id, { ...words, whatsappId: row.id, quotedWid: event.quotedId ?? null })
  const said =
    !event.fromMe && !event.group ? await answer(scope, row, place.ticketId, { ...event, content }, bots) : []
  return { ticketId: place.ticketId, steps: [step('filled', 'came-later'), ...said] }
}

type Waiting = NonNullable<Awaited<ReturnType<typeof placeOf>>>

/** It was a reaction, or machines talking: nothing that ever stood in a conversation. Its place goes. */
async function unwritten(scope: Scope, row: LineRow, place: Waiting): Promise<Outcome> {
  const { ticketId, contactId } = place
  const before = await presentTicket(scope, ticketId)
  await takeOut(scope, place)
  await tellThread(scope, [contactId], row.id)
  // A ticket that it alone had opened was nobody's question.
  const isEmpty = before.status === 'pending' && before.userId === null && (await isWordless(scope, ticketId))
  if (isEmpty) await removeTicket(scope, before)
  else await renewLast(scope, ticketId)
  return { ticketId: isEmpty ? null : ticketId, steps: [step('filled', 'was-no-message')] }
}

async function isWordless(scope: Scope, ticketId: number): Promise<boolean> {
  const any = await scope.db
    .selectFrom('messages')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .limit(1)
    .executeTakeFirst()
  return any === undefined
}

const nothing: Outcome = { ticketId: null, steps: [step('nothing', 'was-no-message')] }

const placeOf = (scope: Scope, row: LineRow, wid: string) =>
  scope.db
    .selectFrom('messages')
    .select(['id', 'ticketId', 'contactId', 'read'])
    .where('companyId', '=', row.companyId)
    .where('whatsappId', '=', row.id)
    .where('wid', '=', wid)
    .where('mediaType', '=', 'unknown')
    .where('body', '=', waitingMark)
    .$narrowType<{ ticketId: NotNull }>()
    .executeTakeFirst()

async function answer(
  scope: Scope,
  row: LineRow,
  ticketId: number,
  event: Of<'fill'> & { content: Content },
  bots?: readonly Bot[],
) {
  const at = await byOurClock(scope, row, event)
  const heard = { text: wordsIn(event.content), at, cameBack: false, asked: null }
  const { steps } = await takeTurn(scope, await rulebookOf(scope), await presentTicket(scope, ticketId), heard, bots)
  return steps
}
