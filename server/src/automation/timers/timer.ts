import type { Scope } from '../../kernel/data/scope.ts'

/**
 * Something that happens by the clock alone: due at a moment, held, looked at again, done once. What is due stands in
 * rows, never in a process: what the house slept through is found when it wakes, and of two processes the second finds
 * it done.
 */
export type Timer = {
  /**
   * SQL: "companyId", id and at of what is due until $1, at most $2 of it, without the ids in $3. It walks an index from
   * the longest due on, so that a look costs next to nothing while nothing is due.
   */
  look: string
  /** So many of one company are done in one transaction; where that fails, each in one of its own. */
  atOnce: number
  /** What was done may be due again so soon: then we look before the next look. */
  soonMs?: number
  ring(scope: Scope, ids: number[]): Promise<void>
}

type TimerParts<Held> = {
  look: string
  soonMs?: number
  /** Holds the row until the transaction ends and looks again: somebody may have acted while we came. Null: it is not due. */
  hold(scope: Scope, id: number): Promise<Held | null>
  /** Does it, in the same transaction. After it the row is not due any more. */
  act(scope: Scope, held: Held): Promise<void>
}

/** What is done one by one. */
export const makeTimer = <Held>({ look, hold, act, ...more }: TimerParts<Held>): Timer => ({
  look,
  ...more,
  atOnce: 1,
  async ring(scope, ids) {
    for (const id of ids) {
      const held = await hold(scope, id)
      if (held !== null) await act(scope, held)
    }
  },
})

type BatchTimerParts<Held> = {
  look: string
  /** The same of many: those that are not due are not returned. */
  hold(scope: Scope, ids: number[]): Promise<Held[]>
  act(scope: Scope, held: Held[]): Promise<void>
}

/** Few enough that nobody waits long for a row that is held meanwhile. */
const batchSize = 50

/** What comes due by the hundred at one moment. */
export const makeBatchTimer = <Held>({ look, hold, act }: BatchTimerParts<Held>): Timer => ({
  look,
  atOnce: batchSize,
  async ring(scope, ids) {
    const held = await hold(scope, ids)
    if (held.length) await act(scope, held)
  },
})
