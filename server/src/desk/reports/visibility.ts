import { can } from '@recado/contract/rules'
import { canLeadQueues, type TicketVisibilityUser } from '@recado/contract/visibility'
import type { Scope } from '../../kernel/data/scope.ts'
import type { ReportQuery } from './facts.ts'

type UnrestrictedQuery = Omit<ReportQuery, 'queueIds' | 'alone'>

/**
 * What of the figures somebody may see: who has the dashboard all of it, who leads what happened in their queues, the
 * others what is theirs. Whatever was asked for, nothing else is read.
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
