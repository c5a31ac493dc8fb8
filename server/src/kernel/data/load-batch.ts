/** A query for many arguments at once: one result for each argument, in order. */
export type Loader<S, A, R> = (scope: S, all: A[]) => Promise<R[]>

type PendingLoad = {
  loader: Loader<unknown, unknown, unknown>
  argument: unknown
  /** The index of the operation in its batch: results are delivered in this order. */
  memberIndex: number
  /** How many steps the operation takes before this query. */
  depth: number
  resolve(answer: unknown): void
  reject(error: unknown): void
}
type BatchMember<S> = { load<A, R>(loader: Loader<S, A, R>, argument: A): Promise<R>; done(): void }

/** The largest number of steps before each query, and before each repetition of the query. */
const depthsByLoader = new WeakMap<object, number[]>()
function depthOf(loader: object, nth: number, steps: number): number {
  const known = depthsByLoader.get(loader) ?? []
  depthsByLoader.set(loader, known)
  const depth = Math.max(known[nth] ?? 0, steps)
  known[nth] = depth
  return depth
}

/**
 * Runs many operations of the same kind in a batch, each written as if it ran alone. A query waits until all other
 * operations wait or are done: then equal queries run as one. An operation with fewer steps waits at the next query
 * that it shares with others; the position of that query is known from earlier batches.
 */
export function makeLoadBatch<S>(scope: S, size: number) {
  let working = size
  let members = 0
  let pendingLoads: PendingLoad[] = []
  let isLoading = false
  let failure: { error: unknown } | null = null

  /** Fails all operations of the batch with the error of one. */
  function fail(error: unknown): void {
    failure ??= { error }
    for (const { reject: fail } of pendingLoads.splice(0)) fail(failure.error)
  }

  async function runNextLoader(): Promise<void> {
    if (working > 0 || isLoading || !pendingLoads.length) return
    isLoading = true
    const next = pendingLoads.reduce((first, argument) => (argument.depth < first.depth ? argument : first))
    const same = pendingLoads
      .filter(({ loader }) => loader === next.loader)
      .sort((a, b) => a.memberIndex - b.memberIndex)
    pendingLoads = pendingLoads.filter(({ loader }) => loader !== next.loader)
    try {
      const answers = await next.loader(
        scope,
        same.map(({ argument }) => argument),
      )
      for (const [n, { resolve: answer }] of same.entries()) answer(answers[n])
    } catch (error) {
      pendingLoads.push(...same)
      fail(error)
    }
    isLoading = false
    void runNextLoader()
  }

  return {
    fail,
    member(): BatchMember<S> {
      const memberIndex = members++
      const callCounts = new Map<object, number>()
      let steps = 0
      let pendingCount = 0
      return {
        load<A, R>(loader: Loader<S, A, R>, argument: A): Promise<R> {
          if (failure) return Promise.reject(failure.error)
          const nth = callCounts.get(loader) ?? 0
          callCounts.set(loader, nth + 1)
          const depth = depthOf(loader, nth, ++steps)
          const { promise, resolve, reject } = Promise.withResolvers<R>()
          if (pendingCount++ === 0) working--
          const resumeMember = () => {
            if (--pendingCount === 0) working++
          }
          pendingLoads.push({
            ...{ loader: loader as PendingLoad['loader'], argument: argument, memberIndex: memberIndex, depth },
            resolve(answer) {
              resumeMember()
              resolve(answer as R)
            },
            reject(error) {
              resumeMember()
              reject(error)
            },
          })
          void runNextLoader()
          return promise
        },
        done() {
          working--
          void runNextLoader()
        },
      }
    },
  }
}
export type LoadBatch<S> = ReturnType<typeof makeLoadBatch<S>>
