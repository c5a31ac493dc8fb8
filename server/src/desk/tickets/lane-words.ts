import type { TicketDetail } from '@recado/contract/tickets'
import type { Scope } from '../../kernel/data/scope.ts'
import { mayHear, say } from '../say.ts'
import { isInWindow } from '../window.ts'
import { mark } from './lifecycle.ts'
import { note, step } from './track.ts'

/** What the lane of a ticket says to a customer whose card has arrived there: once, and where it may be said at all. */
export async function sayLane(scope: Scope, ticket: TicketDetail): Promise<void> {
  await mark(scope, ticket.id, { laneSayAt: null })
  const lane = await scope.db
    .selectFrom('tags')
    .select(['name', 'sayOn', 'sayText'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', ticket.laneId)
    .executeTakeFirst()
  if (!lane?.sayOn) return
  const why =
    (await whyNot(scope, ticket)) ?? ((await say(scope, ticket, 'lane', lane.sayText)) ? 'said' : 'said-before')
  await note(scope, ticket.id, 'lane', step('lane-words', why, { lane: lane.name }))
}

async function whyNot(scope: Scope, ticket: TicketDetail): Promise<string | null> {
  if (ticket.isGroup) return 'is-group'
  if (!isInWindow(scope, ticket)) return 'window-closed'
  return (await mayHear(scope, ticket)) ? null : 'no-bots'
}
