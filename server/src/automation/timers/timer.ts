import type { Scope } from '../../kernel/data/scope.ts'

/**
 * An action triggered by time alone: due at a moment, locked, checked again, performed once. The due time is stored in a
 * row, never in a process: actions missed during downtime are found at the next start, and of two processes the second
 * finds the action done.
 */
export type Timer = {
  /**
   * SQL: "companyId", id and at of rows due until $1, at most $2, without the ids in $3. It scans an index from the longest
   * overdue row on, so that a poll costs almost nothing while nothing is due.
   */
  dueSql: string
  /** How many rows of one company are processed in one transaction; if it fails, each row gets its own transaction. */
  batchSize: number
  /** Rows may be due again this soon, so the next poll is earlier than the regular one. */
  recheckMs?: number
  run(scope: Scope, ids: number[]): Promise<void>
}

type TimerParts<Held> = {
  dueSql: string
  recheckMs?: number
  /** Locks the row and checks it again, because it may have changed meanwhile. Null: the row is not due. */
  lockDue(scope: Scope, id: number): Promise<Held | null>
  /** Acts in the same transaction. Afterwards the row is not due any more. */
  perform(scope: Scope, due: Held): Promise<void>
}

/** A timer whose rows are processed one at a time. */
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
  /** Locks several rows and checks them again; rows that are not due are not returned. */
  lockDue(scope: Scope, ids: number[]): Promise<Held[]>
  perform(scope: Scope, due: Held[]): Promise<void>
}

/** Few rows per transaction, so that a locked row does not block others for long. */
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
