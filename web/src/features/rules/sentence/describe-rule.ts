import type { FlowCondition } from '@recado/contract/flows/flow-conditions'
import type { FlowDocument, FlowLimits } from '@recado/contract/flows/flow-document'
import { stepsInLine } from '@recado/contract/flows/flow-line'
import type { referencedEntities } from '@recado/contract/flows/flow-references'
import type { FlowStep } from '@recado/contract/flows/flow-steps'
import type { FlowTrigger } from '@recado/contract/flows/flow-triggers'
import type { FlowNames } from '@recado/contract/flows/flows'
import { type ConditionGroup, isConditionGroup } from '@recado/contract/views/ticket-conditions'
import { formatNumber } from '../../../lib/format.ts'
import { describeMinutes } from '../../../parts/conditions/describe-minutes.ts'
import type { conditionTexts } from '../../../parts/conditions/texts.ts'
import type { priorityTexts } from '../../../parts/ticket/priority-texts.ts'
import { nameVariables } from '../../../parts/variable-names.ts'
import { fillPattern, joinWith, type SlotTexts } from './pattern.ts'
import type { SentenceWords } from './texts.ts'

type Entity = (typeof referencedEntities)[number]
/** The name of what a rule refers to; null: it was deleted. */
export type NameOf = (entity: Entity, id: number) => string | null
/** What sentences are made of. */
export type Sentences = {
  words: SentenceWords
  conditions: (typeof conditionTexts)['es']
  priorities: (typeof priorityTexts)['es']['names']
  nameOf: NameOf
}

/** How much of a message a sentence quotes. */
const maxQuotedCharacters = 60

export function nameOfIn(names: FlowNames): NameOf {
  const byKey = new Map(names.map(({ entity, id, name }) => [`${entity} ${id}`, name]))
  return (entity, id) => byKey.get(`${entity} ${id}`) ?? null
}

const durationOf = (minutes: number, { conditions }: Sentences): string => describeMinutes(minutes, conditions)

function quoteText(text: string, { words }: Sentences): string {
  const line = nameVariables(text).replace(/\s+/g, ' ').trim()
  return words.quote(line.length > maxQuotedCharacters ? `${line.slice(0, maxQuotedCharacters - 1)}…` : line)
}
const namesOf = (entity: Entity, ids: readonly number[], { nameOf, words }: Sentences, word: string): string =>
  joinWith(
    ids.map((id) => nameOf(entity, id) ?? words.gone),
    word,
  )
const quoteAll = (texts: readonly string[], word: string, { words }: Sentences): string =>
  joinWith(
    texts.map((text) => words.quote(text)),
    word,
  )

// ---- When

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

// ---- If

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
      return { key: { text: condition.name }, v: { text: words.quote(condition.value) } }
    default:
      return {}
  }
}

function describeConditions(group: ConditionGroup<FlowCondition>, s: Sentences, isInner = false): string {
  const parts = group.of.map((node) =>
    isConditionGroup(node) ? describeConditions(node, s, true) : describeCondition(node, s),
  )
  const text = joinWith(parts, group.match === 'all' ? s.words.and : s.words.or)
  return isInner && parts.length > 1 ? `(${text})` : text
}

// ---- Then

export function slotsOfStep(step: FlowStep, s: Sentences): SlotTexts {
  const { words } = s
  const one = (entity: Entity, id: number | null, none: string) => ({
    text: id === null ? none : (s.nameOf(entity, id) ?? words.gone),
  })
  switch (step.kind) {
    case 'say':
      return {
        text: { text: step.text ? quoteText(step.text, s) : step.fileId ? words.aFile : words.anotherText },
        template: { text: step.template?.name ?? '' },
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

/** The pattern of a step in the editor, where everything can be chosen. */
export const patternOfStep = (step: FlowStep, words: SentenceWords): string =>
  step.kind === 'say' && step.template ? words.sayTemplate : words.steps[step.kind].says

export function describeStep(step: FlowStep, s: Sentences): string {
  const isOnly = step.kind === 'tags' && (step.add.length === 0 || step.remove.length === 0)
  const pattern = isOnly
    ? step.remove.length > 0
      ? s.words.removeOnly
      : s.words.addOnly
    : patternOfStep(step, s.words)
  return fillPattern(pattern, slotsOfStep(step, s))
}

// ---- The whole rule

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
  ...stepsOfRule(document).map((step) => describeStep(step, s)),
  ...describeLimits(document.limits, s),
]
