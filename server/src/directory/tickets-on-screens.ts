import type { Scope } from '../kernel/data/scope.ts'

/** Lists show the newest closed tickets; users do not scroll further than this. */
const maxClosedTickets = 1000

/** Tickets of a queue or a line that may be on a screen: all active ones, and the newest closed ones. */
export async function listTicketsOnScreens(scope: Scope, of: 'queueId' | 'whatsappId', id: number): Promise<number[]> {
  const there = () =>
    scope.db.selectFrom('tickets').select('id').where('companyId', '=', scope.companyId).where(of, '=', id)
  const living = await there().where('status', 'in', ['open', 'pending']).execute()
  const closed = await there()
    .where('status', '=', 'closed')
    .orderBy('updatedAt', 'desc')
    .limit(maxClosedTickets)
    .execute()
  return [...living, ...closed].map((row) => row.id)
}
