import type { MacroStep, PreparedStep } from '@recado/contract/macros/macro-steps'
import type { MacroReferences } from '@recado/contract/macros/macros'
import {
  IconCheck,
  IconClockPause,
  IconFlag,
  IconHierarchy3,
  IconNote,
  IconSitemap,
  IconTags,
  IconUserCheck,
} from '@tabler/icons-react'
import { formatReturn } from '../ticket/snooze/format-return.ts'
import { nameVariables } from '../variable-names.ts'
import type { macroTexts } from './texts.ts'

type Words = (typeof macroTexts)['es']

export const stepIcons = {
  tags: IconTags,
  note: IconNote,
  assign: IconUserCheck,
  queue: IconHierarchy3,
  priority: IconFlag,
  snooze: IconClockPause,
  resolve: IconCheck,
  flow: IconSitemap,
}

/** What a step does, as a sentence with its real values. */
export function describeStep(
  step: PreparedStep,
  { tags, queues, users, reasons, flows }: MacroReferences,
  { words, me }: { words: Words; me: number },
): { text: string; hint?: string } {
  const nameIn = (rows: { id: number; name: string }[], id: number) =>
    rows.find((row) => row.id === id)?.name ?? `#${id} (${words.gone})`
  const namesOf = (ids: number[]) => ids.map((id) => nameIn(tags, id)).join(', ')
  switch (step.kind) {
    case 'tags':
      return { text: describeTags(namesOf(step.add), namesOf(step.remove), words) }
    case 'note':
      return { text: words.note(step.note) }
    case 'assign':
      return { text: words.assign(step.userId === me ? words.me : nameIn(users, step.userId)) }
    case 'queue':
      return { text: words.queue(nameIn(queues, step.queueId)), hint: words.queueHint }
    case 'priority':
      return { text: words.priority(step.priority) }
    case 'snooze':
      if (step.until === null) return { text: words.snoozeMessage }
      return {
        text: words.snooze(formatReturn(step.until)),
        ...(step.wakesOnMessage && { hint: words.snoozeHint }),
      }
    case 'resolve':
      return {
        text: words.resolve,
        ...(step.closingReasonId && { hint: words.reason(nameIn(reasons, step.closingReasonId)) }),
      }
    case 'flow':
      return { text: words.flow(nameIn(flows, step.flowId)) }
  }
}

/** What a step does with each of many tickets, whose times differ. */
export function describeStepForMany(
  step: MacroStep,
  references: MacroReferences,
  context: { words: Words; me: number },
): string {
  const { words, me } = context
  if (step.kind === 'assign')
    return describeStep({ kind: 'assign', userId: step.userId === 'me' ? me : step.userId }, references, context).text
  if (step.kind === 'note') return describeStep({ ...step, note: nameVariables(step.note) }, references, context).text
  if (step.kind !== 'snooze') return describeStep(step, references, context).text
  if (step.until === 'message') return words.snoozeMessage
  return step.until === 'hours' ? words.snoozeHours(step.hours) : words.snooze(words.openings[step.until])
}

function describeTags(added: string, removed: string, words: Words): string {
  if (added && removed) return words.swap(added, removed)
  return added ? words.add(added) : words.remove(removed)
}
