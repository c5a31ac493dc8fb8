import { can } from '@recado/contract/rules'
import { canLeadQueues, type TicketVisibilityUser } from '@recado/contract/visibility'
import type { Scope } from '../../kernel/data/scope.ts'
import type { ReportQuery } from './report-sql.ts'

type UnrestrictedQuery = Omit<ReportQuery, 'queueIds' | 'alone'>

/**
 * Limits a report query to what the user may see: users with the dashboard permission everything, supervisors their
 * queues, others their own. The query cannot widen it.
 */
export function limitToVisibleFor(
  who: Pick<TicketVisibilityUser, 'id' | 'profile' | 'queueIds'>,
  asked: UnrestrictedQuery,
): ReportQuery {
  if (can(who, 'dashboard:view')) return { ...asked, queueIds: null }
  if (canLeadQueues(who)) return { ...asked, queueIds: who.queueIds.toSorted((a, b) => a - b) }
  return { ...asked, queueIds: null, userId: who.id, alone: true }
}
export const limitToVisible = ({ actor }: Scope, asked: UnrestrictedQuery): ReportQuery =>
  limitToVisibleFor(actor, asked)
