import { cardMoveUndoMs } from '@recado/contract/board/board'
import type { TicketDetail } from '@recado/contract/tickets'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { publishTicketChanged } from './base/publish-ticket.ts'
import { findVisibleTicket, lockTicket, presentTicket } from './base/ticket-view.ts'
import { makeStep, recordTicketEvent } from './base/tracking.ts'

/** A move can be undone, so the lane sends nothing to the customer before this delay is over. */
const laneMessageDelayMs = cardMoveUndoMs + 1000

type TagChange = { remove?: 'all' | 'kanban'; add?: number[] }
/** Why a card changes its lane, for the ticket's events. */
type TagChangeReason = { why: 'by-person' | 'by-machine' } | { why: 'nobody-moved-it'; hours: number }

/** The locked ticket, for a user who may see it. */
export async function lockVisibleTicket(scope: Scope, ticketId: number): Promise<TicketDetail> {
  await lockTicket(scope, ticketId)
  return findVisibleTicket(scope, ticketId)
}

/** Removes tags (all, or those of the board) and adds tags, in one step. */
export const setTags = async (scope: Scope, ticketId: number, change: TagChange): Promise<TicketDetail> =>
  changeTags(scope, await lockVisibleTicket(scope, ticketId), change, { why: 'by-person' })

/**
 * Changes the tags of a locked ticket. A ticket is in one lane: of two board tags the new one stays, and the other is
 * removed.
 */
export async function changeTags(
  scope: Scope,
  before: TicketDetail,
  change: TagChange,
  by: TagChangeReason,
): Promise<TicketDetail> {
  const { companyId } = scope
  const added = await lockTags(scope, change.add ?? [])
  const lanes = added.filter((tag) => tag.kanban === 1)
  const lane = lanes.findLast((tag) => tag.id !== before.laneId) ?? lanes[0]
  const isGone = (tag: TicketDetail['tags'][number]) =>
    tag.kanban === 1 ? change.remove !== undefined || lane !== undefined : change.remove === 'all'
  const addedTagIds = added.filter((tag) => tag.kanban !== 1 || tag === lane).map((tag) => tag.id)
  const removedTagIds = before.tags.filter((tag) => isGone(tag) && !addedTagIds.includes(tag.id)).map((tag) => tag.id)
  if (removedTagIds.length)
    await scope.db
      .deleteFrom('ticketTags')
      .where('companyId', '=', companyId)
      .where('ticketId', '=', before.id)
      .where('tagId', 'in', removedTagIds)
      .execute()
  if (addedTagIds.length)
    await scope.db
      .insertInto('ticketTags')
      .values(addedTagIds.map((tagId) => ({ companyId, ticketId: before.id, tagId })))
      .onConflict((c) => c.doNothing())
      .execute()
  const stays = before.laneId !== null && !removedTagIds.includes(before.laneId)
  const laneId = lane?.id ?? (stays ? before.laneId : null)
  if (laneId !== before.laneId) await enterLane(scope, before, lane, by)
  const after = await presentTicket(scope, before.id)
  publishTicketChanged(scope, before, after)
  return after
}

type Tag = { id: number; name: string; kanban: number; sayOn: boolean }
async function lockTags(scope: Scope, given: number[]): Promise<Tag[]> {
  const ids = [...new Set(given)]
  if (!ids.length) return []
  const found = await scope.db
    .selectFrom('tags')
    .select(['id', 'name', 'kanban', 'sayOn'])
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', ids)
    // The tags are locked, so that none of them is deleted or made a lane in between.
    .forShare()
    .execute()
  if (found.length < ids.length) throw new AppError('ERR_NO_TAG_FOUND')
  return ids.flatMap((id) => found.filter((tag) => tag.id === id))
}

/** The ticket is in another lane now, or in none; the lane's automation begins. */
async function enterLane(
  scope: Scope,
  before: TicketDetail,
  lane: Tag | undefined,
  { why, ...more }: TagChangeReason,
): Promise<void> {
  const now = scope.now()
  const lives = before.status !== 'closed'
  await scope.db
    .updateTable('tickets')
    .set({
      laneId: lane?.id ?? null,
      laneSince: lives ? now : null,
      laneSayAt: lives && lane?.sayOn ? new Date(now.getTime() + laneMessageDelayMs) : null,
    })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', before.id)
    .execute()
  const from = before.tags.find((tag) => tag.id === before.laneId)?.name ?? null
  await recordTicketEvent(scope, before.id, 'lane', makeStep('lane', why, { from, to: lane?.name ?? null, ...more }))
}
