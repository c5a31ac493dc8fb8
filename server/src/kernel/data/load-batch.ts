/** A question asked for many at once: one answer each, in order. */
export type Loader<S, A, R> = (scope: S, all: A[]) => Promise<R[]>

type PendingLoad = {
  loader: Loader<unknown, unknown, unknown>
  argument: unknown
  /** The member's index: answers are delivered in this order. */
  memberIndex: number
  /** How many steps members take before this question. */
  depth: number
  resolve(answer: unknown): void
  reject(error: unknown): void
}
type BatchMember<S> = { load<A, R>(question: Loader<S, A, R>, one: A): Promise<R>; done(): void }

/** The largest number of steps before each question, per repetition. */
const depths = new WeakMap<object, number[]>()
function depthOf(question: object, nth: number, steps: number): number {
  const known = depths.get(question) ?? []
  depths.set(question, known)
  const depth = Math.max(known[nth] ?? 0, steps)
  known[nth] = depth
  return depth
}

/**
 * Runs many members of the same operation in a batch, each written as if it ran alone. No question is asked before
 * all other members wait or are done: then equal questions are asked as one. A member with fewer steps waits where
 * the paths meet, which is known from earlier batches.
 */
export function makeLoadBatch<S>(scope: S, size: number) {
  let working = size
  let members = 0
  let asked: PendingLoad[] = []
  let isAsking = false
  let failure: { error: unknown } | null = null

  /** An error of one member fails all of them. */
  function fail(error: unknown): void {
    failure ??= { error }
    for (const { reject: fail } of asked.splice(0)) fail(failure.error)
  }

  async function goOn(): Promise<void> {
    if (working > 0 || isAsking || !asked.length) return
    isAsking = true
    const next = asked.reduce((first, one) => (one.depth < first.depth ? one : first))
    const same = asked
      .filter(({ loader: question }) => question === next.loader)
      .sort((a, b) => a.memberIndex - b.memberIndex)
    asked = asked.filter(({ loader: question }) => question !== next.loader)
    try {
      const answers = await next.loader(
        scope,
        same.map(({ argument: one }) => one),
      )
      for (const [n, { resolve: answer }] of same.entries()) answer(answers[n])
    } catch (error) {
      asked.push(...same)
      fail(error)
    }
    isAsking = false
    void goOn()
  }

  return {
    fail,
    member(): BatchMember<S> {
      const place = members++
      const times = new Map<object, number>()
      let steps = 0
      let open = 0
      return {
        load<A, R>(question: Loader<S, A, R>, one: A): Promise<R> {
          if (failure) return Promise.reject(failure.error)
          const nth = times.get(question) ?? 0
          times.set(question, nth + 1)
          const depth = depthOf(question, nth, ++steps)
          const { promise, resolve, reject } = Promise.withResolvers<R>()
          if (open++ === 0) working--
          const back = () => {
            if (--open === 0) working++
          }
          asked.push({
            ...{ loader: question as PendingLoad['loader'], argument: one, memberIndex: place, depth },
            resolve(answer) {
              back()
              resolve(answer as R)
            },
            reject(error) {
              back()
              reject(error)
            },
          })
          void goOn()
          return promise
        },
        done() {
          working--
          void goOn()
        },
      }
    },
  }
}
export type LoadBatch<S> = ReturnType<typeof makeLoadBatch<S>>
