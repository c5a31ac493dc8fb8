import { sql } from 'kysely'
import type { Scope } from '../kernel/data/scope.ts'
import { publishUser } from './user-view.ts'

/** After so many offers in a row without an answer, the user is put on a break. */
export const maxMissedOffers = 2

/**
 * Counts an offer that ran out, and puts the user on a break if it was not the first in a row. A user whose browser is
 * closed could not answer: nothing is counted.
 */
export async function countMissedOffer(scope: Scope, userId: number, breakReason: string): Promise<void> {
  const person = scope.db.updateTable('users').where('companyId', '=', scope.companyId).where('id', '=', userId)
  const counted = await person
    .set({ missedOffers: sql<number>`"missedOffers" + 1` })
    .where('online', '=', true)
    .where('disconnectedAt', 'is', null)
    .where('availability', '=', 'available')
    .returning('missedOffers')
    .executeTakeFirst()
  if (!counted || counted.missedOffers < maxMissedOffers) return
  const row = await person
    .set({
      availability: 'break',
      availabilityReason: breakReason,
      availabilityCause: 'missedOffers',
      availabilitySince: scope.now(),
      missedOffers: 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await publishUser(scope, 'update', row)
}

/** The user answered an offer. */
export async function clearMissedOffers(scope: Scope, userId: number): Promise<void> {
  await scope.db
    .updateTable('users')
    .set({ missedOffers: 0 })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', userId)
    .where('missedOffers', '>', 0)
    .execute()
}
