import type { TicketEvent, TicketEventStep } from '@recado/contract/tickets'
import { formatPhoneNumber } from '../../phone-number.ts'

/** A change to the ticket itself, as a row of the thread. */
export type SystemLine = {
  id: string
  at: string
  step: (typeof shownSteps)[number]
  reason: string
  actorName: string
  target: string
  /** For a number change, the previous number. */
  from: string
  /** For a ticket that the server assigned. */
  routed?: RoutingReason | undefined
}
/** `load`: the agent's open tickets, of how many. The names of agents who were skipped, by reason. */
export type RoutingReason = { load: string; skipped: Record<'break' | 'away' | 'full', string> }

function toRoutingReason({ why, with: given }: TicketEventStep): RoutingReason | undefined {
  if (!why.startsWith('routed-')) return
  const open = String(given.open ?? '')
  const load = given.capacity ? `${open}/${given.capacity}` : open
  return { load, skipped: { break: toText(given.break), away: toText(given.away), full: toText(given.full) } }
}

const shownSteps = [
  ...(['accepted', 'returned', 'resolved', 'reopened', 'transferred', 'opened', 'renumbered'] as const),
  ...(['prioritized'] as const),
] as const
const isShownStep = (step: string): step is SystemLine['step'] => shownSteps.includes(step as SystemLine['step'])
const toText = (value: TicketEventStep['with'][string] | undefined): string => (typeof value === 'string' ? value : '')

/** Leaves out actions that were undone: the ticket is as if they had not happened. Events come newest first. */
const withoutUndone = (events: TicketEvent[]): TicketEvent[] =>
  events.filter((event, i) => event.kind !== 'undo' && events[i - 1]?.kind !== 'undo')

/** The user actions on the ticket from its journal, oldest first. */
export function toSystemLines(events: TicketEvent[]): SystemLine[] {
  return withoutUndone(events)
    .flatMap(({ id, at, actor, steps }) =>
      steps.flatMap((step, i): SystemLine[] => {
        if (!isShownStep(step.step)) return []
        const { user, queue, line } = step.with
        const routed = toRoutingReason(step)
        const who = actor?.name ?? (step.step === 'accepted' && !routed ? toText(user) : '')
        const isNumber = step.step === 'renumbered'
        const to = isNumber
          ? formatPhoneNumber(toText(step.with.to))
          : step.step === 'prioritized'
            ? toText(step.with.to)
            : [toText(queue), toText(user), toText(line)].filter(Boolean).join(' · ')
        const from = isNumber ? formatPhoneNumber(toText(step.with.from)) : ''
        return [{ id: `${id}-${i}`, at, step: step.step, reason: step.why, actorName: who, target: to, from, routed }]
      }),
    )
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

/** Fills in a sentence's placeholders and returns its parts: inserted values are emphasized. */
export function splitTemplate(sentence: string, blanks: Record<string, string>): { text: string; strong: boolean }[] {
  return sentence
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1]
      return name === undefined ? { text: part, strong: false } : { text: blanks[name] ?? '', strong: true }
    })
}
