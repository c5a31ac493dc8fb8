import { FlowDocument } from '@recado/contract/flows/flow-document'
import { expect, test } from 'vitest'
import {
  addStep,
  canAdd,
  canMove,
  duplicateStep,
  emptyRule,
  emptyRuleCondition,
  emptyTrigger,
  itemsOf,
  moveStep,
  type RuleStepKind,
  removeStepAt,
  ruleConditionFields,
  ruleStepKinds,
  ruleTriggerKinds,
  storablePart,
} from './rule-draft.ts'

const build = (...kinds: RuleStepKind[]) =>
  kinds.reduce((document, kind) => addStep(document, kind).document, emptyRule)
const idsOf = (document: FlowDocument) => itemsOf(document).map(([step]) => step?.id)

test('adds steps before the one that ends the rule, which exists once', () => {
  const rule = build('say', 'resolve', 'tags', 'say')
  expect(idsOf(rule)).toEqual(['say', 'tags', 'say-2', 'resolve'])
  expect(canAdd(rule, 'person')).toBe(false)
  expect(FlowDocument.safeParse(rule).success).toBe(true)
})

test('moves steps, but none behind the last one', () => {
  const rule = build('say', 'tags', 'person')
  expect(idsOf(moveStep(rule, 0, 1))).toEqual(['tags', 'say', 'person'])
  expect(canMove(rule, 1, 1)).toBe(false)
  expect(moveStep(rule, 2, -1)).toBe(rule)
})

test('duplicates a step under its own id, and removes one', () => {
  const rule = build('note', 'resolve')
  const copied = duplicateStep(rule, 0)
  expect(copied && idsOf(copied.document)).toEqual(['note', 'note-2', 'resolve'])
  expect(duplicateStep(rule, 1)).toBeNull()
  expect(idsOf(removeStepAt(rule, 0))).toEqual(['resolve'])
})

test('stores every line that can be added, without those that are not filled in', () => {
  const whole = {
    ...build(...ruleStepKinds.filter((kind) => kind !== 'resolve')),
    triggers: ruleTriggerKinds.slice(0, 10).map(emptyTrigger),
    conditions: { match: 'all' as const, of: ruleConditionFields.map(emptyRuleCondition) },
  }
  const stored = storablePart(whole)
  expect(FlowDocument.safeParse(stored).success).toBe(true)
  expect(stored.conditions.of.map((one) => 'field' in one && one.field)).toEqual(['file', 'firstMessage', 'hours'])
  const others = storablePart({ ...emptyRule, triggers: ruleTriggerKinds.slice(10).map(emptyTrigger) })
  expect(FlowDocument.safeParse(others).success).toBe(true)
  expect(others.triggers.some(({ kind }) => kind === 'fieldChanged')).toBe(false)
})
