import {
  listConditions,
  type TicketCondition,
  type TicketConditionGroup,
} from '@recado/contract/views/ticket-conditions'
import { isComplete } from '../../../parts/conditions/condition-draft.ts'
import type { TicketView as ListState } from '../../../parts/ticket/ticket-view.ts'

export const isWholeDraft = (conditions: TicketConditionGroup): boolean => listConditions(conditions).every(isComplete)

/** A new view begins with what the list shows now. */
export function draftFromList({ sub, queueIds }: ListState, showsAll: boolean): TicketConditionGroup {
  return {
    match: 'all',
    of: [
      ...(sub === 'snoozed'
        ? [{ field: 'snoozed', not: false } satisfies TicketCondition]
        : [{ field: 'status', in: [sub], not: false } satisfies TicketCondition]),
      ...(sub === 'open' && !showsAll ? [{ field: 'user', in: ['me'], not: false } satisfies TicketCondition] : []),
      ...(queueIds ? [{ field: 'queue', in: queueIds, not: false } satisfies TicketCondition] : []),
    ],
  }
}
