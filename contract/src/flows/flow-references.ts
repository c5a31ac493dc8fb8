import { type ConditionGroup, listConditions } from '../views/ticket-conditions.ts'
import type { FlowCondition } from './flow-conditions.ts'
import type { FlowDocument } from './flow-document.ts'
import { type FlowStep, unchosenId } from './flow-steps.ts'
import type { FlowTrigger } from './flow-triggers.ts'

export const referencedEntities = [
  ...(['queue', 'tag', 'user', 'connection', 'ad', 'closingReason', 'fileOption'] as const),
  ...(['prompt', 'integration', 'campaign', 'flow'] as const),
] as const

type Target =
  | { entity: (typeof referencedEntities)[number]; id: number }
  /** A custom field of contacts. */
  | { entity: 'field'; name: string }
  | { entity: 'template'; name: string; language: string }
/** Something outside of the flow that it needs, and the step that needs it; null: a trigger or the start conditions. */
export type FlowReference = Target & { stepId: string | null }

/** Everything that the server must find before the flow can be published. */
export const listReferences = ({ triggers, conditions, steps }: FlowDocument): FlowReference[] => [
  ...[...triggers.flatMap(targetsOfTrigger), ...targetsOfConditions(conditions)].map((one) => ({
    ...one,
    stepId: null,
  })),
  ...steps.flatMap((step) => targetsOfStep(step).map((one) => ({ ...one, stepId: step.id }))),
]

const targets = (entity: (typeof referencedEntities)[number], ...ids: readonly (number | string | null)[]): Target[] =>
  ids.flatMap((id) => (typeof id === 'number' && id !== unchosenId ? [{ entity, id }] : []))

function targetsOfTrigger(trigger: FlowTrigger): Target[] {
  switch (trigger.kind) {
    case 'ticketMoved':
      return targets('queue', ...trigger.queueIds)
    case 'tagged':
    case 'laneEntered':
      return targets('tag', ...trigger.tagIds)
    case 'resolved':
      return targets('closingReason', ...trigger.closingReasonIds)
    case 'campaignAnswered':
      return targets('campaign', ...trigger.campaignIds)
    case 'fieldChanged':
    case 'fieldDate':
      return [{ entity: 'field', name: trigger.field }]
    default:
      return []
  }
}

const targetsOfConditions = (group: ConditionGroup<FlowCondition>): Target[] =>
  listConditions(group).flatMap(targetsOfCondition)

function targetsOfCondition(condition: FlowCondition): Target[] {
  switch (condition.field) {
    case 'queue':
    case 'user':
    case 'tag':
    case 'connection':
    case 'ad':
    case 'closingReason':
      return targets(condition.field, ...condition.in)
    case 'owner':
      return targets('user', ...condition.in)
    case 'contact':
      return condition.key === 'custom' ? [{ entity: 'field', name: condition.custom }] : []
    default:
      return []
  }
}

function targetsOfStep(step: FlowStep): Target[] {
  switch (step.kind) {
    case 'say': {
      const { fileId, template } = step
      const templates = template
        ? [{ entity: 'template' as const, name: template.name, language: template.language }]
        : []
      return [...targets('fileOption', fileId), ...templates]
    }
    case 'branch':
      return targetsOfConditions(step.conditions)
    case 'setField':
      return [{ entity: 'field', name: step.field }]
    case 'tags':
      return targets('tag', ...step.add, ...step.remove)
    case 'queue':
    case 'person':
      return targets('queue', step.queueId)
    case 'assign':
      return targets('user', step.userId)
    case 'note':
      return targets('user', ...step.mentions)
    case 'start':
    case 'stop':
      return targets('flow', step.flowId)
    case 'resolve':
      return targets('closingReason', step.closingReasonId)
    case 'respond':
      return step.by.kind === 'prompt'
        ? targets('prompt', step.by.promptId)
        : targets('integration', step.by.integrationId)
    default:
      return []
  }
}
