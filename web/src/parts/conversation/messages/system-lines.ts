import type { TicketEvent, TicketEventStep } from '@recado/contract/tickets'
import { formatPhoneNumber } from '../../../lib/format.ts'

/** What happened to the ticket itself, as the thread says it. */
export type SystemLine = {
  id: string
  at: string
  what: 'accepted' | 'returned' | 'resolved' | 'reopened' | 'transferred' | 'opened' | 'renumbered'
  why: string
  who: string
  to: string
  /** Of a new number, the one before. */
  from: string
}

const shownSteps = ['accepted', 'returned', 'resolved', 'reopened', 'transferred', 'opened', 'renumbered'] as const
const isShownStep = (step: string): step is SystemLine['what'] => shownSteps.includes(step as SystemLine['what'])
const toText = (value: TicketEventStep['with'][string] | undefined): string => (typeof value === 'string' ? value : '')

/** Of everything that happened inside, what people did with the ticket; oldest first. */
export function toSystemLines(happenings: TicketEvent[]): SystemLine[] {
  return happenings
    .flatMap(({ id, at, actor, steps }) =>
      steps.flatMap((step, i): SystemLine[] => {
        if (!isShownStep(step.step)) return []
        const { user, queue, line } = step.with
        const who = actor?.name ?? (step.step === 'accepted' ? toText(user) : '')
        const isNumber = step.step === 'renumbered'
        const to = isNumber
          ? formatPhoneNumber(toText(step.with.to))
          : [toText(queue), toText(user), toText(line)].filter(Boolean).join(' · ')
        const from = isNumber ? formatPhoneNumber(toText(step.with.from)) : ''
        return [{ id: `${id}-${i}`, at, what: step.step, why: step.why, who, to, from }]
      }),
    )
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

/** A sentence with blanks, in parts: what fills a blank stands out. */
export function splitTemplate(sentence: string, blanks: Record<string, string>): { text: string; strong: boolean }[] {
  return sentence
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1]
      return name === undefined ? { text: part, strong: false } : { text: blanks[name] ?? '', strong: true }
    })
}
