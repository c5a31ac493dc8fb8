import { makeStep, recordTicketEvent } from '../../desk/tickets/base/tracking.ts'
import { addMs } from '../../kernel/clock.ts'
import type { Deps, Scope } from '../../kernel/data/scope.ts'
import { currentTraceId } from '../../kernel/trace.ts'
import type { DeferredAction } from '../bot-actions/bot.ts'
import { type LateReason, loadTicketSnapshot, type TicketSnapshot } from './ticket-snapshot.ts'

declare module '../../kernel/live/signals.ts' {
  interface SignalPayloads {
    /** A bot request was written. */
    ask: []
  }
}

/** A bot request that this process has claimed. */
export type ClaimedBotRequest = {
  id: number
  companyId: number
  ticketId: number
  bot: string
  asker: string
  about: unknown
  seen: TicketSnapshot
  fence: number
  failures: number
  trace: string | null
}

/** Records in the ticket's events that the answer to a bot request came too late. */
export const recordLateAnswer = (
  scope: Scope,
  { ticketId, asker }: Pick<ClaimedBotRequest, 'ticketId' | 'asker'>,
  why: LateReason | 'asked-anew',
) => recordTicketEvent(scope, ticketId, 'bot', makeStep('asked', why, { asker }))

/**
 * Writes a bot request with the current state of the ticket, under the ticket's lock. An earlier request of the bot that
 * has not been started is obsolete.
 */
export async function insertBotRequest(
  scope: Scope,
  ticketId: number,
  { bot, backend: backendName, input: about }: DeferredAction,
): Promise<void> {
  const { companyId } = scope
  const now = scope.now()
  const obsolete = await scope.db
    .deleteFrom('asks')
    .where('companyId', '=', companyId)
    .where('ticketId', '=', ticketId)
    .where('heldUntil', '<=', now.toISOString())
    .returning(['ticketId', 'asker'])
    .execute()
  for (const one of obsolete) await recordLateAnswer(scope, one, 'wrote-again')
  const seen = JSON.stringify(await loadTicketSnapshot(scope, ticketId))
  const values = { companyId, ticketId, bot, asker: backendName, about: JSON.stringify(about ?? {}), seen }
  await scope.db
    .insertInto('asks')
    .values({ ...values, trace: currentTraceId() ?? null, askedAt: now, notBefore: now })
    .execute()
  await scope.signal('ask')
}

// Claims only the oldest request of each ticket, because the requests of a ticket run in order.
const claimSql = `
  update asks set fence = fence + 1, "heldUntil" = $2 where ("companyId", id) = (
    select a."companyId", a.id from asks a where a."notBefore" <= $1 and a."heldUntil" <= $1 and a."companyId" <> all($3::int[])
      and not exists (select from asks b where b."companyId" = a."companyId" and b."ticketId" = a."ticketId" and b.id < a.id)
    order by a."notBefore", a.id limit 1 for update skip locked
  ) returning id, "companyId", "ticketId", bot, asker, about, seen, fence, failures, trace`

/** Claims the next due request of any company except these, under a lease that must be renewed. */
export async function claimBotRequest(
  deps: Deps,
  but: number[],
  leaseMs: number,
): Promise<ClaimedBotRequest | undefined> {
  const now = deps.clock.now()
  const values = [now, addMs(now, leaseMs), but]
  return (await deps.database.platformPool.query<ClaimedBotRequest>({ name: 'asks_take', text: claimSql, values }))
    .rows[0]
}

const updateOwnRequest = (scope: Scope, { id, fence }: ClaimedBotRequest) =>
  scope.db.updateTable('asks').where('companyId', '=', scope.companyId).where('id', '=', id).where('fence', '=', fence)

/** Renews the lease. False: another process has claimed the request. */
export async function renewBotRequest(scope: Scope, one: ClaimedBotRequest, leaseMs: number): Promise<boolean> {
  const renewed = updateOwnRequest(scope, one).set({ heldUntil: addMs(scope.now(), leaseMs) })
  return (await renewed.returning('id').executeTakeFirst()) !== undefined
}

/** Schedules another attempt, now or later. False: another process has claimed the request. */
export async function releaseBotRequest(
  scope: Scope,
  one: ClaimedBotRequest,
  { afterMs = 0, ...rest }: { afterMs?: number; failures?: number; error?: string; seen?: TicketSnapshot },
): Promise<boolean> {
  const { seen, ...values } = rest
  const released = await updateOwnRequest(scope, one)
    .set({
      ...values,
      ...(seen && { seen: JSON.stringify(seen) }),
      notBefore: addMs(scope.now(), afterMs),
      heldUntil: new Date(0),
    })
    .returning('id')
    .executeTakeFirst()
  return released !== undefined
}

/** Deletes the request when it has ended. False: another process has claimed or deleted it. */
export async function deleteBotRequest(scope: Scope, { id, fence }: ClaimedBotRequest): Promise<boolean> {
  const ended = await scope.db
    .deleteFrom('asks')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .where('fence', '=', fence)
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}

/** Whether the bot has written a newer request for the ticket. */
export async function hasNewerBotRequest(scope: Scope, { id, ticketId }: ClaimedBotRequest): Promise<boolean> {
  const after = await scope.db
    .selectFrom('asks')
    .select('id')
    .where('companyId', '=', scope.companyId)
    .where('ticketId', '=', ticketId)
    .where('id', '>', id)
    .limit(1)
    .executeTakeFirst()
  return after !== undefined
}
