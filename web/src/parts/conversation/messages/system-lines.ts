import type { Happening, Step } from '@recado/contract/tickets'
import { phoneNumber } from '../../../lib/format.ts'

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

const told = ['accepted', 'returned', 'resolved', 'reopened', 'transferred', 'opened', 'renumbered'] as const
const isTold = (step: string): step is SystemLine['what'] => told.includes(step as SystemLine['what'])
const text = (value: Step['with'][string] | undefined): string => (typeof value === 'string' ? value : '')

/** Of everything that happened inside, what people did with the ticket; oldest first. */
export function systemLines(happenings: Happening[]): SystemLine[] {
  return happenings
    .flatMap(({ id, at, actor, steps }) =>
      steps.flatMap((step, i): SystemLine[] => {
        if (!isTold(step.step)) return []
        const { user, queue, line } = step.with
        const who = actor?.name ?? (step.step === 'accepted' ? text(user) : '')
        const isNumber = step.step === 'renumbered'
        const to = isNumber
          ? phoneNumber(text(step.with.to))
          : [text(queue), text(user), text(line)].filter(Boolean).join(' · ')
        const from = isNumber ? phoneNumber(text(step.with.from)) : ''
        return [{ id: `${id}-${i}`, at, what: step.step, why: step.why, who, to, from }]
      }),
    )
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

/** A sentence with blanks, in parts: what fills a blank stands out. */
export function filled(sentence: string, blanks: Record<string, string>): { text: string; strong: boolean }[] {
  return sentence
    .split(/(\{\w+\})/)
    .filter(Boolean)
    .map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1]
      return name === undefined ? { text: part, strong: false } : { text: blanks[name] ?? '', strong: true }
    })
}
