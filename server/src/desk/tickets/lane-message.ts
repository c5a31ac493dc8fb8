import type { TicketDetail } from '@recado/contract/tickets'
import type { Scope } from '../../kernel/data/scope.ts'
import { findBotMessageObstacle, sendBotMessage } from '../bot-message.ts'
import { makeStep, recordTicketEvent } from './base/tracking.ts'
import { updateTicketQuietly } from './lifecycle.ts'

/** Sends the lane's message to a customer whose card arrived in the lane: once, and only where allowed. */
export async function sendLaneMessage(scope: Scope, ticket: TicketDetail): Promise<void> {
  await updateTicketQuietly(scope, ticket.id, { laneSayAt: null })
  const lane = await scope.db
    .selectFrom('tags')
    .select(['name', 'sayOn', 'sayText'])
    .where('companyId', '=', scope.companyId)
    .where('id', '=', ticket.laneId)
    .executeTakeFirst()
  if (!lane?.sayOn) return
  const why =
    (await findBotMessageObstacle(scope, ticket)) ??
    ((await sendBotMessage(scope, ticket, 'lane', lane.sayText)) ? 'said' : 'said-before')
  await recordTicketEvent(scope, ticket.id, 'lane', makeStep('lane-words', why, { lane: lane.name }))
}
