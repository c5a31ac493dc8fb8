import { can } from '@recado/contract/rules'
import { canLeadQueues, type TicketVisibilityUser } from '@recado/contract/visibility'
import type { Scope } from '../../kernel/data/scope.ts'
import type { ReportQuery } from './report-sql.ts'

type UnrestrictedQuery = Omit<ReportQuery, 'queueIds' | 'alone'>

/**
 * Limits a report query to the data that the user may see: everything with the dashboard permission, their queues for
 * supervisors, their own conversations for others. The query cannot widen this limit.
 */
export function limitToVisibleFor(
  who: Pick<TicketVisibilityUser, 'id' | 'profile' | 'queueIds'>,
  query: UnrestrictedQuery,
): ReportQuery {
  if (can(who, 'dashboard:view')) return { ...query, queueIds: null }
  if (canLeadQueues(who)) return { ...query, queueIds: who.queueIds.toSorted((a, b) => a - b) }
  return { ...query, queueIds: null, userId: who.id, alone: true }
}
export const limitToVisible = ({ actor }: Scope, query: UnrestrictedQuery): ReportQuery =>
  limitToVisibleFor(actor, query)
