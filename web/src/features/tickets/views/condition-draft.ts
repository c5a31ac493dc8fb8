import {
  isConditionGroup,
  listConditions,
  type TicketCondition,
  type TicketConditionGroup,
} from '@recado/contract/views/ticket-conditions'
import type { TicketView as ListState } from '../../../parts/ticket/ticket-view.ts'
import type { ConditionField } from './editor-texts.ts'

export const conditionFields: ConditionField[] = [
  ...(['status', 'priority', 'queue', 'user', 'tag', 'connection', 'ad', 'owner', 'closingReason'] as const),
  ...(['unread', 'snoozed', 'waiting', 'goal', 'contact'] as const),
]

/** A condition on the field before anything was chosen. */
export function emptyCondition(field: ConditionField): TicketCondition {
  if (field === 'unread' || field === 'snoozed') return { field, not: false }
  if (field === 'waiting' || field === 'goal') return { field, minutes: 30, not: false }
  if (field === 'contact') return { field, key: 'name', custom: '', contains: '', not: false }
  if (field === 'status') return { field, in: ['open', 'pending'], not: false }
  return { field, in: [], not: false }
}

export const isComplete = (condition: TicketCondition): boolean => {
  if ('in' in condition) return condition.in.length > 0
  if (condition.field !== 'contact') return true
  return condition.contains.trim() !== '' && (condition.key !== 'custom' || condition.custom.trim() !== '')
}

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

export const replaceAt = (
  group: TicketConditionGroup,
  index: number,
  node: TicketCondition | TicketConditionGroup | null,
): TicketConditionGroup => ({
  ...group,
  of: node === null ? group.of.filter((_, i) => i !== index) : group.of.map((old, i) => (i === index ? node : old)),
})

/** Without empty groups, which would be true for every ticket. */
export const withoutEmptyGroups = (group: TicketConditionGroup): TicketConditionGroup => ({
  ...group,
  of: group.of
    .map((node) => (isConditionGroup(node) ? withoutEmptyGroups(node) : node))
    .filter((node) => !isConditionGroup(node) || node.of.length > 0),
})
