import type { FlowDocument } from '@recado/contract/flows/flow-document'
import type { FlowRun } from '@recado/contract/flows/flows'
import { formatDayTime } from '../../../lib/format.ts'
import { describeStep } from '../sentence/describe-step.ts'
import type { Sentences } from '../sentence/sentences.ts'
import type { RunsWords } from './texts.ts'

/** The step where a run stands, as a sentence; or why it ended. Empty while the version is loading. */
export function describeRunStep(
  { stepId, endReason }: FlowRun,
  document: FlowDocument | undefined,
  sentences: Sentences,
  words: RunsWords,
): string {
  if (endReason) return words.ends[endReason]
  if (stepId === null || !document) return ''
  const step = document.steps.find(({ id }) => id === stepId)
  return step ? step.title || describeStep(step, sentences) : words.stepGone
}

/** Since when a run is inside, and what it waits for. */
export function describeRunTime({ state, version, startedAt, endedAt, dueAt }: FlowRun, words: RunsWords): string {
  const from = formatDayTime(startedAt)
  const parts = [words.version(version), endedAt ? words.until(from, formatDayTime(endedAt)) : words.since(from)]
  if (state === 'waiting') parts.push(dueAt ? words.dueAt(formatDayTime(dueAt)) : words.waiting)
  if (state === 'calling') parts.push(words.calling)
  if (state === 'ready') parts.push(words.running)
  return parts.join(' · ')
}
