import { fold } from '../text/fold.ts'
import { containsWords } from './flow-conditions.ts'
import type { FlowTrigger } from './flow-triggers.ts'

/** What a trigger compares of something that happened, by its kind. The database and the timers write it. */
type EventDetails = {
  /** `text`: the beginning of what the customer wrote; empty if it is no text. */
  message: { text: string; hasFile: boolean; isFirst: boolean }
  ticketOpened: object
  ticketMoved: { queueId: number | null }
  tagged: { tagId: number }
  resolved: { closingReasonId: number | null }
  rated: { rate: number }
  /** The flow's own threshold: flows with another one have events of their own. The same for the next three. */
  goalNear: { minutes: number }
  goalMissed: object
  unanswered: { minutes: number; inOpenHours: boolean }
  silent: { minutes: number; inOpenHours: boolean }
  fieldChanged: { field: string; value: string }
  snoozeOver: object
  laneEntered: { tagId: number }
  hook: object
  daily: { time: string }
  weekly: { time: string; day: number }
  fieldDate: { field: string; days: number; time: string; yearly: boolean }
  campaignAnswered: { campaignId: number }
  person: object
  flow: object
}
export type FlowEvent = {
  [Kind in FlowTrigger['kind']]: { kind: Kind; details: EventDetails[Kind] }
}[FlowTrigger['kind']]

/** An event of one kind. */
export type FlowEventOf<Kind extends FlowEvent['kind']> = Extract<FlowEvent, { kind: Kind }>

/**
 * Whether the event is what the trigger waits for. A program, a user and another flow name the flow that they start, so
 * there is nothing to compare.
 */
export function matchesTrigger(trigger: FlowTrigger, event: FlowEvent): boolean {
  switch (trigger.kind) {
    case 'message':
      return event.kind === 'message' && isMessageMet(trigger, event.details)
    case 'ticketMoved':
      return event.kind === 'ticketMoved' && isListed(trigger.queueIds, event.details.queueId)
    case 'tagged':
    case 'laneEntered':
      return event.kind === trigger.kind && isListed(trigger.tagIds, event.details.tagId)
    case 'resolved':
      return event.kind === 'resolved' && isListed(trigger.closingReasonIds, event.details.closingReasonId)
    case 'campaignAnswered':
      return event.kind === 'campaignAnswered' && isListed(trigger.campaignIds, event.details.campaignId)
    case 'rated':
      return event.kind === 'rated' && event.details.rate >= trigger.from && event.details.rate <= trigger.to
    case 'goalNear':
      return event.kind === 'goalNear' && event.details.minutes === trigger.minutes
    case 'unanswered':
    case 'silent':
      return (
        event.kind === trigger.kind &&
        event.details.minutes === trigger.minutes &&
        event.details.inOpenHours === trigger.inOpenHours
      )
    case 'fieldChanged':
      return event.kind === 'fieldChanged' && isFieldMet(trigger, event.details)
    case 'daily':
      return event.kind === 'daily' && event.details.time === trigger.time
    case 'weekly':
      return event.kind === 'weekly' && event.details.time === trigger.time && trigger.days.includes(event.details.day)
    case 'fieldDate':
      return event.kind === 'fieldDate' && isSameDate(trigger, event.details)
    default:
      return event.kind === trigger.kind
  }
}

type TriggerOf<Kind extends FlowTrigger['kind']> = Extract<FlowTrigger, { kind: Kind }>

/** An empty list means any; something without an id, such as a ticket without a queue, is in no list. */
const isListed = (ids: readonly number[], id: number | null): boolean =>
  ids.length === 0 || (id !== null && ids.includes(id))

const isMessageMet = ({ words, withFile, first }: TriggerOf<'message'>, message: EventDetails['message']): boolean =>
  (words === null || containsWords(message.text, words)) &&
  (!withFile || message.hasFile) &&
  (!first || message.isFirst)

const isSameText = (one: string, other: string): boolean => fold(one.trim()) === fold(other.trim())

const isFieldMet = ({ field, value }: TriggerOf<'fieldChanged'>, changed: EventDetails['fieldChanged']): boolean =>
  isSameText(field, changed.field) && (value === null || isSameText(value, changed.value))

const isSameDate = (trigger: TriggerOf<'fieldDate'>, date: EventDetails['fieldDate']): boolean =>
  isSameText(trigger.field, date.field) &&
  trigger.days === date.days &&
  trigger.time === date.time &&
  trigger.yearly === date.yearly
