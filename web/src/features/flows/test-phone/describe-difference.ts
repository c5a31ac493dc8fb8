import type { FlowEndReason } from '@recado/contract/flows/walk'
import type { TestPhoneWords } from './texts.ts'

type Options = {
  words: TestPhoneWords
  /** The name of a step; null: it was deleted. */
  nameOf: (stepId: string) => string | null
}

/** Where the way of a test differs from the recorded one, as a sentence. */
export function describeDifference(
  recorded: readonly string[],
  now: readonly string[],
  { words, nameOf }: Options,
): string {
  const at = recorded.findIndex((line, i) => line !== now[i])
  const first = at < 0 ? recorded.length : at
  const name = (line: string | undefined): string => {
    if (line === undefined) return words.nothing
    if (line.startsWith('=')) return words.quoted(words.ends[line.slice(1) as FlowEndReason] ?? line.slice(1))
    const step = nameOf(line)
    return step === null ? words.goneStep : words.quoted(step)
  }
  const [before, after] = [recorded[first], now[first]]
  if (first === 0) return words.differsAtStart(name(before), name(after))
  return words.differs(
    name(recorded[first - 1]),
    before === undefined ? words.wasNothing : words.was(name(before)),
    after === undefined ? words.isNothing : words.is(name(after)),
  )
}
