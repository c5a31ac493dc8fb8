import { addOpenTime } from '@recado/contract/dashboard/open-time'
import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { PauseStep } from '@recado/contract/flows/walk'
import type { Calendar } from '@recado/contract/hours/opening'
import { addMs, hours, minutes } from '../../kernel/clock.ts'

/** A desk without any opening is looked at again after this time, in case its hours have changed. */
const closedRecheckMs = hours(24)

/** When the pause at a step is over; null: only the customer ends it. */
export function pauseEnd(step: PauseStep, calendar: Calendar | null, now: Date): Date | null {
  if (step.kind !== 'wait') return step.silence ? addMs(now, minutes(step.silence.minutes)) : null
  if (step.until.kind === 'opening') return nextOpening(calendar, now) ?? addMs(now, closedRecheckMs)
  const ms = minutes(step.until.minutes)
  const inOpenHours = step.until.kind === 'time' && step.until.inOpenHours
  return (inOpenHours ? addOpenTime(calendar, now, ms) : null) ?? addMs(now, ms)
}

/** Null: the desk does not open again. */
function nextOpening(calendar: Calendar | null, now: Date): Date | null {
  const afterFirstMs = addOpenTime(calendar, now, 1)
  return afterFirstMs && addMs(afterFirstMs, -1)
}

/** Whether the next message of the customer is for the run. An answer ends a sequence wherever it stands. */
export const isListening = ({ kind }: FlowDocument, step: PauseStep): boolean =>
  kind === 'sequence' || step.kind !== 'wait' || step.until.kind === 'answer'
