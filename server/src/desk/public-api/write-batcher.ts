import { Scope } from '../../kernel/data/scope.ts'
import { isTransientError } from '../../kernel/errors.ts'

/** Maximum number of writes in one transaction. */
const maxWritesPerBatch = 64

/** `lockKeys`: the keys that the write touches. Two writes with the same key are not executed at the same time. */
type WriteRequest<T> = { scope: Scope; lockKeys: string[]; work: (tx: Scope) => Promise<T> }
type QueuedWrite = WriteRequest<unknown> & { resolve: (result: unknown) => void; reject: (error: unknown) => void }

/**
 * Collects API writes of a company that arrive while others are being written, and writes them together
 * (`Scope.inBatch`): a client that sends a hundred at once costs a few statements, and a single call does not wait. If
 * a write of a batch is refused, each is redone alone, so that only the refused one fails. If the database connection
 * was lost, it is unknown whether the batch was written: all its writes get an error, and none is done twice.
 */
export function makeWriteBatcher() {
  const waiting = new Map<number, QueuedWrite[]>()
  const working = new Map<number, number>()

  /** One batch is written while the next is prepared, so that Node and the database work at the same time. */
  const maxParallelBatches = 2

  function begin(companyId: number): void {
    const all = waiting.get(companyId) ?? []
    const busy = working.get(companyId) ?? 0
    if (!all.length || busy >= maxParallelBatches) return
    const batch = takeIndependentWrites(all)
    working.set(companyId, busy + 1)
    void write(batch).finally(() => {
      const remaining = (working.get(companyId) ?? 1) - 1
      if (remaining) working.set(companyId, remaining)
      else working.delete(companyId)
      if (!all.length && waiting.get(companyId) === all) waiting.delete(companyId)
      begin(companyId)
    })
  }

  /** Takes writes that share no key, in order; the others stay in the queue. */
  function takeIndependentWrites(all: QueuedWrite[]): QueuedWrite[] {
    const usedKeys = new Set<string>()
    const batch: QueuedWrite[] = []
    const remaining: QueuedWrite[] = []
    for (const one of all) {
      const fits = batch.length < maxWritesPerBatch && !one.lockKeys.some((word) => usedKeys.has(word))
      for (const word of one.lockKeys) usedKeys.add(word)
      if (fits) batch.push(one)
      else remaining.push(one)
    }
    all.splice(0, all.length, ...remaining)
    return batch
  }

  async function write(batch: QueuedWrite[]): Promise<void> {
    const [first] = batch as [QueuedWrite]
    if (batch.length > 1) {
      try {
        const results = await new Scope(first.scope.deps, { companyId: first.scope.companyId }).transaction((tx) =>
          tx.inBatch(
            batch.map(({ work }) => work),
            batch.map(({ scope }) => scope),
          ),
        )
        return batch.forEach(({ resolve: done }, n) => void done(results[n]))
      } catch (error) {
        if (isTransientError(error)) return batch.forEach(({ reject: failed }) => void failed(error))
        // The batch failed: each write runs alone, which finds the failing one.
      }
    }
    await Promise.all(
      batch.map(({ scope, work, resolve: done, reject: failed }) => scope.transaction(work).then(done, failed)),
    )
  }

  return <T>({ scope, lockKeys: about, work }: WriteRequest<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const all = waiting.get(scope.companyId) ?? []
      waiting.set(scope.companyId, all)
      all.push({ scope, lockKeys: about, work, resolve: resolve as QueuedWrite['resolve'], reject: reject })
      begin(scope.companyId)
    })
}
export type WriteBatcher = ReturnType<typeof makeWriteBatcher>
