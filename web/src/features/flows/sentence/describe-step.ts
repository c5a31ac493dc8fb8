import type { FlowStep } from '@recado/contract/flows/flow-steps'
import { fillPattern, type SlotTexts } from './pattern.ts'
import { durationOf, type Entity, namesOf, quoteText, type Sentences } from './sentences.ts'

export function slotsOfStep(step: FlowStep, s: Sentences): SlotTexts {
  const { words } = s
  const one = (entity: Entity, id: number | null, none: string) => ({
    text: id === null ? none : (s.nameOf(entity, id) ?? words.gone),
  })
  switch (step.kind) {
    case 'say':
      return {
        text: step.text
          ? { text: quoteText(step.text, s) }
          : { text: step.fileId ? words.aFile : words.anotherText, isDefault: step.template !== null },
        template: step.template
          ? { text: (step.text ? words.orTemplate : words.theTemplate)(step.template.name) }
          : { text: words.noTemplate, isDefault: true },
      }
    case 'ask':
      return { text: { text: quoteText(step.text, s) } }
    case 'note':
      return { text: { text: step.text ? quoteText(step.text, s) : words.anotherText } }
    case 'wait':
      return { until: { text: describeWait(step, s) } }
    case 'call':
      return { url: { text: hostOf(step.url) || words.nothingChosen }, method: { text: step.method } }
    case 'setField':
      return { field: { text: words.quote(step.field) }, value: { text: quoteText(step.value, s) } }
    case 'tags':
      return {
        add: { text: step.add.length > 0 ? namesOf('tag', step.add, s, words.and) : words.noTag },
        remove: { text: step.remove.length > 0 ? namesOf('tag', step.remove, s, words.and) : words.noTag },
      }
    case 'priority':
      return { priority: { text: s.priorities[step.priority].toLowerCase() } }
    case 'queue':
      return { queue: one('queue', step.queueId, words.nothingChosen) }
    case 'assign':
      return { user: step.userId === 'owner' ? { text: words.owner } : one('user', step.userId, words.nothingChosen) }
    case 'snooze':
      return {
        until: { text: step.until === 'hours' ? words.snoozeTimes.hours(step.hours) : words.snoozeTimes[step.until] },
        wakes:
          step.until === 'message'
            ? { text: '', isDefault: true }
            : { text: step.wakesOnMessage ? words.wakes : words.sleeps },
      }
    case 'start':
      return { flow: one('flow', step.flowId, words.nothingChosen) }
    case 'stop':
      return { flow: one('flow', step.flowId, words.allSequences) }
    case 'resolve':
      return step.closingReasonId === null
        ? { reason: { text: words.noReason, isDefault: true } }
        : { reason: { text: words.withReason(s.nameOf('closingReason', step.closingReasonId) ?? words.gone) } }
    case 'person':
      return {
        queue:
          step.queueId === null
            ? { text: words.ownQueue, isDefault: true }
            : { text: words.ofQueue(s.nameOf('queue', step.queueId) ?? words.gone) },
        text: step.text ? { text: words.saying(quoteText(step.text, s)) } : { text: words.silently, isDefault: true },
      }
    default:
      return {}
  }
}

export function describeWait({ until }: Extract<FlowStep, { kind: 'wait' }>, s: Sentences): string {
  if (until.kind === 'opening') return s.words.untilOpening
  const time = durationOf(until.minutes, s)
  return until.kind === 'time' && until.inOpenHours ? s.words.inOpenHours(time) : time
}

const hostOf = (url: string): string => /^https?:\/\/([^/?#]{1,253})/i.exec(url.slice(0, 300))?.[1] ?? ''

export function describeStep(step: FlowStep, s: Sentences): string {
  const isOnly = step.kind === 'tags' && (step.add.length === 0 || step.remove.length === 0)
  const pattern = isOnly
    ? step.remove.length > 0
      ? s.words.removeOnly
      : s.words.addOnly
    : s.words.steps[step.kind].says
  return fillPattern(pattern, slotsOfStep(step, s))
}
