import { type ConditionGroup, isConditionGroup, type TicketCondition } from '@recado/contract/views/ticket-conditions'
import type { ConditionField } from './texts.ts'

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

export const replaceAt = <C extends object>(
  group: ConditionGroup<C>,
  index: number,
  node: C | ConditionGroup<C> | null,
): ConditionGroup<C> => ({
  ...group,
  of: node === null ? group.of.filter((_, i) => i !== index) : group.of.map((old, i) => (i === index ? node : old)),
})

/** Without the conditions that are not wanted, and without empty groups, which would always be true. */
export const filterConditions = <C extends object>(
  group: ConditionGroup<C>,
  isWanted: (condition: C) => boolean = () => true,
): ConditionGroup<C> => ({
  ...group,
  of: group.of
    .map((node) => (isConditionGroup(node) ? filterConditions(node, isWanted) : node))
    .filter((node) => (isConditionGroup(node) ? node.of.length > 0 : isWanted(node))),
})
