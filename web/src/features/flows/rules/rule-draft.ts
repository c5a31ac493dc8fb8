import type { FlowCondition } from '@recado/contract/flows/flow-conditions'
import { type FlowDocument, noLimits } from '@recado/contract/flows/flow-document'
import { type LineItem, linkInLine, stepsInLine } from '@recado/contract/flows/flow-line'
import { type FlowStep, type FlowStepKind, unusedStepId } from '@recado/contract/flows/flow-steps'
import type { FlowTrigger, FlowTriggerKind } from '@recado/contract/flows/flow-triggers'
import type { TicketCondition } from '@recado/contract/views/ticket-conditions'
import { filterConditions, isComplete } from '../../../parts/conditions/condition-draft.ts'
import { emptyStep } from '../empty-step.ts'

export { emptyStep }

/** What a rule can begin with. Other automations start flows. */
export const ruleTriggerKinds = [
  ...(['message', 'ticketOpened', 'ticketMoved', 'tagged', 'laneEntered', 'resolved', 'rated'] as const),
  ...(['silent', 'unanswered', 'goalNear', 'goalMissed', 'snoozeOver', 'fieldChanged', 'fieldDate'] as const),
  ...(['campaignAnswered', 'daily', 'weekly', 'person', 'hook'] as const),
]
export const ruleStepKinds = [
  ...(['say', 'tags', 'priority', 'queue', 'assign', 'note', 'snooze'] as const),
  ...(['wait', 'call', 'person', 'resolve'] as const),
]
export type RuleStepKind = (typeof ruleStepKinds)[number]

/** The conditions that only rules and flows have. */
export const ruleConditionFields = ['words', 'file', 'firstMessage', 'hours', 'language'] as const
export type RuleConditionField = (typeof ruleConditionFields)[number]

export const emptyRule: FlowDocument = {
  kind: 'rule',
  triggers: [],
  conditions: { match: 'all', of: [] },
  first: null,
  steps: [],
  limits: noLimits,
}

export function emptyTrigger(kind: FlowTriggerKind): FlowTrigger {
  switch (kind) {
    case 'message':
      return { kind, words: null, withFile: false, first: false }
    case 'ticketMoved':
      return { kind, queueIds: [] }
    case 'tagged':
    case 'laneEntered':
      return { kind, tagIds: [] }
    case 'resolved':
      return { kind, closingReasonIds: [] }
    case 'rated':
      return { kind, from: 0, to: 2 }
    case 'goalNear':
      return { kind, minutes: 30 }
    case 'unanswered':
      return { kind, minutes: 30, inOpenHours: true }
    case 'silent':
      return { kind, minutes: 720, inOpenHours: false }
    case 'fieldChanged':
      return { kind, field: '', value: null }
    case 'daily':
      return { kind, time: '09:00' }
    case 'weekly':
      return { kind, time: '09:00', days: [0] }
    case 'fieldDate':
      return { kind, field: '', days: 0, time: '09:00', yearly: false }
    case 'campaignAnswered':
      return { kind, campaignIds: [] }
    case 'hook':
      return { kind, keep: [] }
    case 'flow':
      return { kind, variables: [] }
    default:
      return { kind }
  }
}
export const isTriggerComplete = (trigger: FlowTrigger): boolean => !('field' in trigger) || trigger.field.trim() !== ''

export function emptyRuleCondition(field: RuleConditionField): FlowCondition {
  if (field === 'words') return { field, mode: 'any', words: [], not: false }
  if (field === 'language') return { field, in: [], not: false }
  return { field, not: false }
}
export function isConditionComplete(condition: FlowCondition): boolean {
  switch (condition.field) {
    case 'words':
      return condition.words.length > 0
    case 'language':
      return condition.in.length > 0
    default:
      return isTicketCondition(condition) ? isComplete(condition) : true
  }
}
const ownFields: readonly string[] = [...ruleConditionFields, 'variable']
export const isTicketCondition = (condition: FlowCondition): condition is TicketCondition =>
  !ownFields.includes(condition.field)

/** The document without lines that are not filled in yet, which cannot be stored. */
export const storablePart = (document: FlowDocument): FlowDocument => ({
  ...document,
  triggers: document.triggers.filter(isTriggerComplete),
  conditions: completeConditions(document.conditions),
  steps: document.steps.map((step) =>
    step.kind === 'branch' ? { ...step, conditions: completeConditions(step.conditions) } : step,
  ),
})

const completeConditions = (conditions: FlowDocument['conditions']): FlowDocument['conditions'] =>
  filterConditions(conditions, isConditionComplete) as FlowDocument['conditions']

// ---- The steps, as a list

export const itemsOf = (document: FlowDocument): LineItem[] => stepsInLine(document) ?? []
export const withItems = (document: FlowDocument, items: LineItem[]): FlowDocument => ({
  ...document,
  ...linkInLine(items),
})

/** Nothing can follow these steps, so one of them is the last. */
const endingKinds: readonly FlowStepKind[] = ['person', 'resolve']
export const isEnding = (item: LineItem | undefined): boolean =>
  item?.[0] !== undefined && endingKinds.includes(item[0].kind)
export const canAdd = (document: FlowDocument, kind: RuleStepKind): boolean =>
  !endingKinds.includes(kind) || !itemsOf(document).some(isEnding)

/** Adds a step at the end, or before the step that ends the rule. */
export function addStep(document: FlowDocument, kind: RuleStepKind): { document: FlowDocument; id: string } {
  const items = itemsOf(document)
  const id = unusedStepId(document.steps, kind)
  const at = items.some(isEnding) ? items.length - 1 : items.length
  return { document: withItems(document, items.toSpliced(at, 0, [emptyStep(kind, id)])), id }
}

export const canMove = (document: FlowDocument, index: number, by: number): boolean => {
  const items = itemsOf(document)
  const other = items[index + by]
  return items[index] !== undefined && other !== undefined && !isEnding(items[index]) && !isEnding(other)
}

export function moveStep(document: FlowDocument, index: number, by: number): FlowDocument {
  const items = itemsOf(document)
  const moved = items[index]
  if (!moved || !canMove(document, index, by)) return document
  return withItems(document, items.toSpliced(index, 1).toSpliced(index + by, 0, moved))
}

/** A copy after the step; null: there cannot be two of it. */
export function duplicateStep(document: FlowDocument, index: number): { document: FlowDocument; id: string } | null {
  const items = itemsOf(document)
  const [step, ...variants] = items[index] ?? []
  if (!step || variants.length > 0 || isEnding(items[index])) return null
  const id = unusedStepId(document.steps, step.kind)
  return { document: withItems(document, items.toSpliced(index + 1, 0, [{ ...step, id }])), id }
}

export const removeStepAt = (document: FlowDocument, index: number): FlowDocument =>
  withItems(document, itemsOf(document).toSpliced(index, 1))

export const replaceStep = (document: FlowDocument, step: FlowStep): FlowDocument => ({
  ...document,
  steps: document.steps.map((old) => (old.id === step.id ? step : old)),
})
