import type { CallOut } from '../../directory/machines/call-out.ts'
import type { Question } from '../asking/asker.ts'
import type { MachineTurn } from '../bots/machine.ts'

/** A question to an integration, and the way to it: each exchange is written down. */
export type Talk = Question<MachineTurn> & {
  recorded: <T>(work: (call: CallOut) => Promise<T>) => Promise<T>
  timeoutMs: number
}
