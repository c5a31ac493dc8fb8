import type { FlowTrigger } from '@recado/contract/flows/flow-triggers'
import { fillPattern, joinWith, type SlotTexts } from './pattern.ts'
import { durationOf, type Entity, namesOf, quoteAll, type Sentences } from './sentences.ts'
import type { SentenceWords } from './texts.ts'

export function slotsOfTrigger(trigger: FlowTrigger, s: Sentences): SlotTexts {
  const { words } = s
  const anyOr = (entity: Entity, ids: readonly number[], any: string, say = (names: string) => names) =>
    ids.length > 0 ? { text: say(namesOf(entity, ids, s, words.or)) } : { text: any }
  const hoursSlot = (inOpenHours: boolean) =>
    inOpenHours ? { text: words.inHours } : { text: words.anyHours, isDefault: true }
  switch (trigger.kind) {
    case 'message': {
      const { words: searched, withFile, first } = trigger
      const all = searched?.mode === 'all'
      return {
        words: searched
          ? { text: (all ? words.wordsAll : words.wordsAny)(quoteAll(searched.words, all ? words.and : words.or, s)) }
          : { text: words.anyWords, isDefault: true },
        file: withFile ? { text: words.withFile } : { text: words.anyFile, isDefault: true },
        first: first ? { text: words.firstEver } : { text: words.anyMessage, isDefault: true },
      }
    }
    case 'ticketMoved':
      return { queues: anyOr('queue', trigger.queueIds, words.anyQueue) }
    case 'tagged':
    case 'laneEntered':
      return { tags: anyOr('tag', trigger.tagIds, words.anyTag) }
    case 'resolved': {
      const slot = anyOr('closingReason', trigger.closingReasonIds, words.anyReason, words.withReason)
      return { reasons: { ...slot, isDefault: trigger.closingReasonIds.length === 0 } }
    }
    case 'rated':
      return { from: { text: String(trigger.from) }, to: { text: String(trigger.to) } }
    case 'goalNear':
      return { minutes: { text: durationOf(trigger.minutes, s) } }
    case 'unanswered':
    case 'silent':
      return { minutes: { text: durationOf(trigger.minutes, s) }, hours: hoursSlot(trigger.inOpenHours) }
    case 'fieldChanged':
      return {
        field: { text: words.quote(trigger.field) },
        value:
          trigger.value === null
            ? { text: words.anyValue, isDefault: true }
            : { text: words.toValue(words.quote(trigger.value)) },
      }
    case 'daily':
      return { time: { text: trigger.time } }
    case 'weekly':
      return {
        time: { text: trigger.time },
        days: {
          text: joinWith(
            trigger.days.toSorted().map((day) => words.weekdays[day] ?? ''),
            words.or,
          ),
        },
      }
    case 'fieldDate':
      return {
        field: { text: words.quote(trigger.field) },
        days: { text: describeDays(trigger.days, words) },
        time: { text: trigger.time },
        yearly: trigger.yearly ? { text: words.yearly } : { text: words.once, isDefault: true },
      }
    case 'campaignAnswered':
      return { campaigns: anyOr('campaign', trigger.campaignIds, words.anyCampaign) }
    default:
      return {}
  }
}

export function describeDays(days: number, words: SentenceWords): string {
  if (days === 0) return words.sameDay
  return days < 0 ? words.daysBefore(-days) : words.daysAfter(days)
}

export const describeTrigger = (trigger: FlowTrigger, s: Sentences): string =>
  fillPattern(s.words.triggers[trigger.kind].says, slotsOfTrigger(trigger, s))
