import type { Scope } from '../../kernel/data/scope.ts'

/**
 * An action triggered by time alone: due at a moment, locked, checked again, done once. The due time is in a row, never in
 * a process: what was missed during downtime is found at the next start, and of two processes the second finds it done.
 */
export type Timer = {
  /**
   * SQL: "companyId", id and at of rows due until $1, at most $2, without the ids in $3. It walks an index from the longest
   * due on, so that a look costs next to nothing while nothing is due.
   */
  dueSql: string
  /** Rows of one company done in one transaction; if that fails, each in its own. */
  batchSize: number
  /** Rows may be due again this soon: then we look before the next regular look. */
  recheckMs?: number
  run(scope: Scope, ids: number[]): Promise<void>
}

type TimerParts<Held> = {
  dueSql: string
  recheckMs?: number
  /** Locks the row and checks again: it may have changed meanwhile. Null: it is not due. */
  lockDue(scope: Scope, id: number): Promise<Held | null>
  /** Acts in the same transaction. Afterwards the row is not due any more. */
  perform(scope: Scope, due: Held): Promise<void>
}

/** A timer whose rows are done one by one. */
export const makeTimer = <Held>({ dueSql, lockDue, perform, ...more }: TimerParts<Held>): Timer => ({
  dueSql: dueSql,
  ...more,
  batchSize: 1,
  async run(scope, ids) {
    for (const id of ids) {
      const due = await lockDue(scope, id)
      if (due !== null) await perform(scope, due)
    }
  },
})

type BatchTimerParts<Held> = {
  dueSql: string
  /** The same for many: rows that are not due are not returned. */
  lockDue(scope: Scope, ids: number[]): Promise<Held[]>
  perform(scope: Scope, due: Held[]): Promise<void>
}

/** Few enough that a locked row does not block others for long. */
const batchSize = 50

/** A timer whose rows become due by the hundred at one moment. */
export const makeBatchTimer = <Held>({ dueSql, lockDue, perform }: BatchTimerParts<Held>): Timer => ({
  dueSql: dueSql,
  batchSize: batchSize,
  async run(scope, ids) {
    const due = await lockDue(scope, ids)
    if (due.length) await perform(scope, due)
  },
})
