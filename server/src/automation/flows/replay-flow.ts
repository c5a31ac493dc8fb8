import { type FlowConditionGroup, meetsFlowConditions } from '@recado/contract/flows/flow-conditions'
import { type FlowDocument, type FlowLimits, reachedLimit } from '@recado/contract/flows/flow-document'
import { isSpeaking } from '@recado/contract/flows/flow-steps'
import type { FlowTrigger } from '@recado/contract/flows/flow-triggers'
import { matchesTrigger } from '@recado/contract/flows/match-trigger'
import { type FlowPosition, nextMove, positionAfter, startPosition } from '@recado/contract/flows/walk'
import { isConditionGroup } from '@recado/contract/views/ticket-conditions'
import { forEachInTimeSlices } from '../../kernel/time-slices.ts'
import type { PastContext } from './past-facts.ts'
import type { PastEvent } from './past-messages.ts'
import { customerKinds } from './runs/start-runs.ts'

/** A conversation in which the flow would have started, if its limits had allowed it. */
export type PastStart = {
  ticket: { id: number; uuid: string; number: number }
  contact: { id: number; name: string }
  at: number
  text: string
  path: string[]
}

/** How much of a message is shown. */
const maxShownCharacters = 200
/** These need a conversation that goes on; the others also happen in closed tickets. */
const activeKinds: readonly FlowTrigger['kind'][] = ['message', 'silent']

/** What a document would have done, as far as is known: the days are taken from the newest to the oldest. */
export function makeReplay(document: FlowDocument) {
  const speaks = document.steps.some(isSpeaking)
  const days: PastStart[][] = []
  const excluded = new Map<string, number>()
  const exclude = (counts: Map<string, number>, reason: string) => counts.set(reason, (counts.get(reason) ?? 0) + 1)
  const triggerOf = ({ event }: PastEvent) => document.triggers.find((trigger) => matchesTrigger(trigger, event))

  /** Why the flow would not have started; null: it would. */
  function findReason({ event }: PastEvent, { disableBot, hasOptedOut, facts }: PastContext): string | null {
    if (speaks && disableBot) return 'disableBot'
    if (speaks && hasOptedOut && !customerKinds.includes(event.kind)) return 'optedOut'
    return findUnmetField(document.conditions, (group) => meetsFlowConditions(group, facts, {}))
  }

  return {
    isTriggeredBy: (event: PastEvent): boolean => triggerOf(event) !== undefined,
    startDay: (): void => void days.push([]),
    /** An event of the last day that was started. */
    take(event: PastEvent, context: PastContext): void {
      const trigger = triggerOf(event)
      if (!trigger || (activeKinds.includes(event.event.kind) && context.ticket.status === 'closed')) return
      const reason = findReason(event, context)
      if (reason !== null) return void exclude(excluded, reason)
      const { ticket } = context
      days.at(-1)?.push({
        ticket: { id: ticket.id, uuid: ticket.uuid, number: ticket.number },
        contact: { id: ticket.contactId, name: ticket.contact.name },
        at: event.at,
        text: event.text.slice(0, maxShownCharacters),
        path: walkToPause(document, trigger, event, context),
      })
    },
    /**
     * The starts of each day that the limits allow, newest first, and how many events were excluded and why. Limits look
     * back, so they are applied from the oldest day on that is known so far.
     */
    async applyLimits(lastAutomaticAt: (contactId: number, at: number) => number | null) {
      const history = makeHistory(document.limits, lastAutomaticAt)
      const counts = new Map(excluded)
      const allowed = days.map((): PastStart[] => [])
      for (const [n, starts] of [...days.entries()].reverse()) {
        history.startDay()
        starts.sort((a, b) => a.at - b.at)
        await forEachInTimeSlices(starts, (start) => {
          const limit = history.take(start)
          if (limit === null) allowed[n]?.push(start)
          else exclude(counts, limit)
        })
        allowed[n]?.reverse()
      }
      return { days: allowed, excluded: counts }
    },
  }
}

/** Remembers the starts, to tell which limit excludes the next one. */
function makeHistory(limits: FlowLimits, lastAutomaticAt: (contactId: number, at: number) => number | null) {
  const lastRunAt = new Map<number, number>()
  let runsToday = 0
  return {
    startDay(): void {
      runsToday = 0
    },
    take({ contact, at }: PastStart): keyof FlowLimits | null {
      const limit = reachedLimit(limits, {
        ...{ now: at, lastRunAt: lastRunAt.get(contact.id) ?? null, runsToday },
        lastAutomaticAt: limits.pauseMinutes === null ? null : lastAutomaticAt(contact.id, at),
      })
      if (limit !== null) return limit
      lastRunAt.set(contact.id, at)
      runsToday++
      return null
    },
  }
}

/** The field of the first condition because of which the group is not met; null: it is met. */
function findUnmetField(group: FlowConditionGroup, isMet: (group: FlowConditionGroup) => boolean): string | null {
  if (isMet(group)) return null
  for (const node of group.of) {
    const field = isConditionGroup(node)
      ? findUnmetField(node, isMet)
      : isMet({ match: 'all', of: [node] })
        ? null
        : node.field
    if (field !== null) return field
  }
  return null
}

/** The steps that a run performs up to its first pause, if all of them succeed. */
function walkToPause(document: FlowDocument, trigger: FlowTrigger, event: PastEvent, context: PastContext): string[] {
  const path: string[] = []
  const { facts, texts, answers } = context
  const run = { runId: `${event.ticketId}:${event.at}`, facts, texts, answers, isTakenOver: false }
  let position: FlowPosition = startPosition(document, trigger)
  for (;;) {
    const move = nextMove(document, position, run)
    if (move.kind === 'end' || move.kind === 'wait') return path
    path.push(move.step.id)
    if (move.kind === 'ask') return path
    position = positionAfter(document, move.position, { kind: 'done' }, run)
  }
}
