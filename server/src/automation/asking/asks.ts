import { note, step } from '../../desk/tickets/track.ts'
import { later } from '../../kernel/clock.ts'
import type { Means, Scope } from '../../kernel/data/scope.ts'
import { trace } from '../../kernel/trace.ts'
import type { Ask } from '../bots/bot.ts'
import { type Late, type Seen, seenNow } from './seen.ts'

declare module '../../kernel/live/signals.ts' {
  interface SignalWords {
    /** A bot wants to ask somebody. */
    ask: []
  }
}

/** One that is being asked. */
export type Taken = {
  id: number
  companyId: number
  ticketId: number
  bot: string
  asker: string
  about: unknown
  seen: Seen
  fence: number
  failures: number
  trace: string | null
}

/** Keeps in the ticket's story what became of a question. */
export const noteLate = (
  scope: Scope,
  { ticketId, asker }: Pick<Taken, 'ticketId' | 'asker'>,
  why: Late | 'asked-anew',
) => note(scope, ticketId, 'bot', step('asked', why, { asker }))

/**
 * A bot asks: written down with the ticket as it is, by who holds it. What it wanted to ask before and nobody has begun
 * to ask is old by now.
 */
export async function writeAsk(scope: Scope, ticketId: number, { bot, ask, about }: Ask): Promise<void> {
  const { companyId } = scope
  const now = scope.now()
  const overtaken = await scope.db
    .deleteFrom('asks')
    .where('companyId', '=', companyId)
    .where('ticketId', '=', ticketId)
    .where('heldUntil', '<=', now.toISOString())
    .returning(['ticketId', 'asker'])
    .execute()
  for (const one of overtaken) await noteLate(scope, one, 'wrote-again')
  const seen = JSON.stringify(await seenNow(scope, ticketId))
  const values = { companyId, ticketId, bot, asker: ask, about: JSON.stringify(about ?? {}), seen }
  await scope.db
    .insertInto('asks')
    .values({ ...values, trace: trace() ?? null, askedAt: now, notBefore: now })
    .execute()
  await scope.signal('ask')
}

// The oldest of each ticket alone: one is asked after the other.
const take = `
  update asks set fence = fence + 1, "heldUntil" = $2 where ("companyId", id) = (
    select a."companyId", a.id from asks a where a."notBefore" <= $1 and a."heldUntil" <= $1 and a."companyId" <> all($3::int[])
      and not exists (select from asks b where b."companyId" = a."companyId" and b."ticketId" = a."ticketId" and b.id < a.id)
    order by a."notBefore", a.id limit 1 for update skip locked
  ) returning id, "companyId", "ticketId", bot, asker, about, seen, fence, failures, trace`

/** The next that is due, of whichever company but these: from here on it is being asked, for as long as it is renewed. */
export async function takeAsk(means: Means, but: number[], leaseMs: number): Promise<Taken | undefined> {
  const now = means.clock.now()
  const values = [now, later(now, leaseMs), but]
  return (await means.database.platformPool.query<Taken>({ name: 'asks_take', text: take, values })).rows[0]
}

const own = (scope: Scope, { id, fence }: Taken) =>
  scope.db.updateTable('asks').where('companyId', '=', scope.companyId).where('id', '=', id).where('fence', '=', fence)

/** We still wait for the answer. False: it is somebody else's by now. */
export async function renewAsk(scope: Scope, one: Taken, leaseMs: number): Promise<boolean> {
  const renewed = own(scope, one).set({ heldUntil: later(scope.now(), leaseMs) })
  return (await renewed.returning('id').executeTakeFirst()) !== undefined
}

/** It is asked again, now or later. False: it is somebody else's by now. */
export async function releaseAsk(
  scope: Scope,
  one: Taken,
  { afterMs = 0, ...rest }: { afterMs?: number; failures?: number; error?: string; seen?: Seen },
): Promise<boolean> {
  const { seen, ...values } = rest
  const released = await own(scope, one)
    .set({
      ...values,
      ...(seen && { seen: JSON.stringify(seen) }),
      notBefore: later(scope.now(), afterMs),
      heldUntil: new Date(0),
    })
    .returning('id')
    .executeTakeFirst()
  return released !== undefined
}

/** It is over. False: somebody else has taken it up, or ended it. */
export async function endAsk(scope: Scope, { id, fence }: Taken): Promise<boolean> {
  const ended = await scope.db
    .deleteFrom('asks')
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .where('fence', '=', fence)
    .returning('id')
    .executeTakeFirst()
  return ended !== undefined
}

/** Whether the bot has asked again since. */
export async function hasLater(scope: Scope, { id, ticketId }: Taken): Promise<boolean> {
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
