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
  /** For a closed ticket: the reason, the answers and the summary of the agent. */
  closing: { name: string; value: string | number | boolean }[]
  /** For a ticket that the server assigned. */
  routed?: RoutingReason | undefined
}
/** What a reason names, in this order: the skills that were asked for or given up, then who was skipped. */
export const routingDetails = [
  ...(['skills', 'missing', 'full', 'break', 'away', 'offShift', 'passed', 'unskilled'] as const),
]
/** `load`: the agent's open tickets, of how many. `isOffered`: the agent was asked and accepted. */
export type RoutingReason = {
  load: string
  isOffered: boolean
  details: { kind: (typeof routingDetails)[number]; names: string }[]
}

function toRoutingReason({ why, with: given }: TicketEventStep): RoutingReason | undefined {
  if (!why.startsWith('routed-')) return
  const open = String(given.open ?? '')
  const load = given.capacity ? `${open}/${given.capacity}` : open
  const details = routingDetails.map((kind) => ({ kind, names: toText(given[kind]) }))
  return { load, isOffered: given.offered === true, details: details.filter(({ names }) => names) }
}

/** Fields are named by admins, so they have a prefix in the journal. */
const fieldPrefix = 'field '
function toClosing({ step, with: given }: TicketEventStep): SystemLine['closing'] {
  if (step !== 'resolved') return []
  const fields = Object.entries(given).filter(([key]) => key.startsWith(fieldPrefix))
  return [
    ['', given.reason] as const,
    ...fields.map(([key, value]) => [key.slice(fieldPrefix.length), value] as const),
    ['', given.note] as const,
  ].flatMap(([name, value]) => (value === undefined || value === null || value === '' ? [] : [{ name, value }]))
}

const shownSteps = [
  ...(['accepted', 'returned', 'resolved', 'reopened', 'transferred', 'opened', 'renumbered'] as const),
  ...(['prioritized', 'snoozed', 'returned-to-inbox', 'rated', 'rating-comment'] as const),
  ...(['offer-declined', 'offer-missed'] as const),
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
        const isOwnDecision = step.step === 'accepted' && !routed && step.why !== 'by-machine'
        const who = actor?.name ?? (isOwnDecision ? toText(user) : '')
        const isNumber = step.step === 'renumbered'
        const to = isNumber
          ? formatPhoneNumber(toText(step.with.to))
          : step.step === 'prioritized'
            ? toText(step.with.to)
            : step.step === 'rated'
              ? `${step.with.rate} / ${step.with.scale}`
              : [toText(queue), toText(user), toText(line)].filter(Boolean).join(' · ')
        const from = isNumber ? formatPhoneNumber(toText(step.with.from)) : ''
        const closing = toClosing(step)
        return [
          {
            id: `${id}-${i}`,
            at,
            step: step.step,
            reason: step.why,
            actorName: who,
            target: to,
            from,
            closing,
            routed,
          },
        ]
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
