import type { FlowFacts } from './flow-conditions.ts'
import type { FlowDocument } from './flow-document.ts'
import type { FlowStep } from './flow-steps.ts'
import type { TestEntry, TestScene } from './flow-tests.ts'
import type { FlowTrigger } from './flow-triggers.ts'
import { type FlowVariables, renderFlowText, type TextValues } from './flow-variables.ts'

/** A day without a change of clocks. */
const testMoment = Date.UTC(2026, 5, 15, 14)

const isoTime = (at: number): string => new Date(at).toISOString()

export const textsOfScene = ({ name, language }: TestScene, now: number): TextValues => ({
  words: { name, number: '', email: '', user: '', queue: '' },
  moment: { now: new Date(now), zone: 'UTC', language },
})

/** The trigger that starts a test: one that brings a value of the scene, or else the first. */
export const triggerOfScene = ({ triggers }: FlowDocument, { values }: TestScene): FlowTrigger => {
  const bringsValue = (trigger: FlowTrigger) =>
    (trigger.kind === 'hook' && trigger.keep.some(({ variable }) => Object.hasOwn(values, variable))) ||
    (trigger.kind === 'flow' && trigger.variables.some((name) => Object.hasOwn(values, name)))
  return triggers.find(bringsValue) ?? triggers[0] ?? { kind: 'person' }
}

/** The message that starts a test, if one does: with the words that the trigger wants. */
export function startMessage(trigger: FlowTrigger): { text: string; hasFile: boolean } | null {
  if (trigger.kind !== 'message') return null
  const { words, withFile } = trigger
  const text = words?.mode === 'all' ? words.words.join(' ') : (words?.words[0] ?? '')
  return { text, hasFile: withFile }
}

export function factsOfScene({ name, language, isOpen, tagIds }: TestScene, trigger: FlowTrigger): FlowFacts {
  const started = startMessage(trigger)
  return {
    ticket: {
      ...{ status: 'pending', priority: 'normal', queueId: null, userId: null, whatsappId: null, adId: null },
      ...{ unreadMessages: 0, waitingSince: isoTime(testMoment), snooze: null, closingReason: null, goals: [] },
      tags: tagIds.map((id) => ({ id })),
      contact: { name, number: '', email: '', ownerId: null, extraInfo: [] },
    },
    startedBy: null,
    now: testMoment,
    isOpen,
    language,
    message: started && { ...started, isFirst: true },
  }
}

export const factsAfterMessage = (facts: FlowFacts, { text, file }: Extract<TestEntry, { kind: 'message' }>) => ({
  ...facts,
  message: { text, hasFile: file !== null, isFirst: facts.message === null },
})

/** The time of the wait is over: who waits for an opening finds it open. */
export function factsAfterWait(facts: FlowFacts, step: FlowStep | undefined): FlowFacts {
  if (step?.kind === 'wait' && step.until.kind === 'opening') return { ...facts, isOpen: true }
  const minutes =
    step?.kind === 'wait' && step.until.kind !== 'opening'
      ? step.until.minutes
      : step && 'silence' in step && step.silence
        ? step.silence.minutes
        : 0
  return { ...facts, now: facts.now + minutes * 60_000 }
}

/** What a step changes of a conversation, as far as conditions can see it. */
export function factsAfterStep(facts: FlowFacts, step: FlowStep, variables: FlowVariables, texts: TextValues) {
  return { ...facts, ticket: ticketAfterStep(facts, step, variables, texts) }
}

function ticketAfterStep(
  { ticket, now }: FlowFacts,
  step: FlowStep,
  variables: FlowVariables,
  texts: TextValues,
): FlowFacts['ticket'] {
  const fill = (text: string) => renderFlowText(text, variables, texts).trim()
  switch (step.kind) {
    case 'tags': {
      const kept = ticket.tags.filter(({ id }) => !step.remove.includes(id) && !step.add.includes(id))
      return { ...ticket, tags: [...kept, ...step.add.map((id) => ({ id }))] }
    }
    case 'priority':
      return { ...ticket, priority: step.priority }
    case 'queue': {
      const isSame = step.queueId === null || step.queueId === ticket.queueId
      return isSame ? ticket : { ...ticket, queueId: step.queueId, userId: null, status: 'pending' }
    }
    case 'assign':
      return { ...ticket, status: 'open', userId: typeof step.userId === 'number' ? step.userId : ticket.userId }
    case 'setField': {
      const { contact } = ticket
      const others = (contact.extraInfo ?? []).filter(({ name }) => name !== step.field)
      return {
        ...ticket,
        contact: { ...contact, extraInfo: [...others, { name: step.field, value: fill(step.value) }] },
      }
    }
    case 'snooze': {
      const { wakesOnMessage } = step
      return { ...ticket, snooze: { since: isoTime(now), until: null, wakesOnMessage, note: fill(step.note) } }
    }
    default:
      return ticket
  }
}
