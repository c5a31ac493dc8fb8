import type { FlowDocument, FlowLimits } from '@recado/contract/flows/flow-document'
import { stepsInLine } from '@recado/contract/flows/flow-line'
import type { FlowStep } from '@recado/contract/flows/flow-steps'
import { isConditionGroup } from '@recado/contract/views/ticket-conditions'
import { formatNumber } from '../../../lib/format.ts'
import { describeCondition, describeConditions } from './describe-condition.ts'
import { describeStep } from './describe-step.ts'
import { describeTrigger } from './describe-trigger.ts'
import { joinWith } from './pattern.ts'
import { durationOf, type Sentences } from './sentences.ts'

export const describeLimits = (limits: FlowLimits, s: Sentences): string[] => [
  ...(limits.hoursPerContact === null ? [] : [s.words.limitPerContact(durationOf(limits.hoursPerContact * 60, s))]),
  ...(limits.runsPerDay === null ? [] : [s.words.limitPerDay(formatNumber(limits.runsPerDay))]),
  ...(limits.pauseMinutes === null ? [] : [s.words.limitPause(durationOf(limits.pauseMinutes, s))]),
  ...(limits.goesOnWithPerson ? [s.words.limitWithPerson] : []),
]

/** The steps of a rule in their order, without the `end`. */
export const stepsOfRule = (document: FlowDocument): FlowStep[] => (stepsInLine(document) ?? []).flat()

/** A rule as one sentence in three parts. */
export const ruleParts = ['triggers', 'conditions', 'steps'] as const
export type RuleSentence = Record<(typeof ruleParts)[number], string>
export const describeRule = (document: FlowDocument, s: Sentences): RuleSentence => ({
  triggers: joinWith(
    document.triggers.map((trigger) => describeTrigger(trigger, s)),
    s.words.or,
  ),
  conditions: describeConditions(document.conditions, s),
  steps: stepsOfRule(document)
    .map((step) => describeStep(step, s))
    .join(', '),
})

/** Every part of a rule as a line, to compare two versions. */
export const linesOfRule = (document: FlowDocument, s: Sentences): string[] => [
  ...document.triggers.map((trigger) => `${s.words.leads.triggers} ${describeTrigger(trigger, s)}`),
  ...document.conditions.of.map(
    (node) =>
      `${s.words.leads.conditions} ${isConditionGroup(node) ? describeConditions(node, s, true) : describeCondition(node, s)}`,
  ),
  ...(document.kind === 'flow' ? document.steps : stepsOfRule(document)).map((step) => describeStep(step, s)),
  ...describeLimits(document.limits, s),
]
