import type { FlowCondition } from '@recado/contract/flows/flow-conditions'
import { type ConditionGroup, isConditionGroup } from '@recado/contract/views/ticket-conditions'
import { fillPattern, joinWith, type SlotTexts } from './pattern.ts'
import { durationOf, type Entity, quoteAll, type Sentences } from './sentences.ts'

export function describeCondition(condition: FlowCondition, s: Sentences): string {
  const { words } = s
  const overdue = condition.field === 'goal' && condition.minutes === 0
  const [met = '', notMet = ''] = overdue ? words.overdueGoal : words.conditions[condition.field]
  return fillPattern(condition.not ? notMet : met, slotsOfCondition(condition, s))
}

function slotsOfCondition(condition: FlowCondition, s: Sentences): SlotTexts {
  const { words, conditions } = s
  const chosen = (texts: string[]) => ({ v: { text: joinWith(texts, words.or) || words.nothingChosen } })
  const named = (entity: Entity, none: string, values: readonly (number | 'me' | null)[]) =>
    chosen(
      values.map((value) => {
        if (value === null) return none.toLowerCase()
        return value === 'me' ? conditions.me.toLowerCase() : (s.nameOf(entity, value) ?? words.gone)
      }),
    )
  switch (condition.field) {
    case 'status':
      return chosen(condition.in.map((one) => (conditions.statuses[one] ?? one).toLowerCase()))
    case 'priority':
      return chosen(condition.in.map((one) => s.priorities[one].toLowerCase()))
    case 'queue':
      return named('queue', conditions.noQueue, condition.in)
    case 'user':
      return named('user', conditions.nobody, condition.in)
    case 'tag':
      return chosen(condition.in.map((id) => words.quote(s.nameOf('tag', id) ?? words.gone)))
    case 'connection':
      return named('connection', conditions.noLine, condition.in)
    case 'ad':
      return named('ad', conditions.noAd, condition.in)
    case 'owner':
      return named('user', conditions.nobody, condition.in)
    case 'closingReason':
      return named('closingReason', conditions.noReason, condition.in)
    case 'waiting':
    case 'goal':
      return { v: { text: durationOf(condition.minutes, s) } }
    case 'contact': {
      const key = words.contactKeys[condition.key] ?? words.quote(condition.custom)
      return { key: { text: key }, v: { text: words.quote(condition.contains) } }
    }
    case 'words':
      return { v: { text: quoteAll(condition.words, condition.mode === 'all' ? words.and : words.or, s) } }
    case 'language':
      return chosen(condition.in.map((one) => words.languages[one] ?? one))
    case 'variable':
      return {
        key: { text: condition.name },
        is: { text: words.comparisons[condition.is][condition.not ? 1 : 0] ?? '' },
        v: condition.is === 'set' ? { text: '', isDefault: true } : { text: words.quote(condition.value) },
      }
    default:
      return {}
  }
}

export function describeConditions(group: ConditionGroup<FlowCondition>, s: Sentences, isInner = false): string {
  const parts = group.of.map((node) =>
    isConditionGroup(node) ? describeConditions(node, s, true) : describeCondition(node, s),
  )
  const text = joinWith(parts, group.match === 'all' ? s.words.and : s.words.or)
  return isInner && parts.length > 1 ? `(${text})` : text
}
