/** Something that is asked for many at once: an answer for each, in their order. */
export type Loader<S, A, R> = (scope: S, all: A[]) => Promise<R[]>

type PendingLoad = {
  question: Loader<unknown, unknown, unknown>
  one: unknown
  /** Whose it is: answers are given in the order in which they came along. */
  place: number
  /** How far along their way members meet this question. */
  depth: number
  answer(answer: unknown): void
  fail(error: unknown): void
}
type BatchMember<S> = { ask<A, R>(question: Loader<S, A, R>, one: A): Promise<R>; done(): void }

/** The furthest along its way that anybody has asked something, each time they asked it. */
const depths = new WeakMap<object, number[]>()
function depthOf(question: object, nth: number, steps: number): number {
  const known = depths.get(question) ?? []
  depths.set(question, known)
  const depth = Math.max(known[nth] ?? 0, steps)
  known[nth] = depth
  return depth
}

/**
 * Many who go the same way at the same time, each written as if it were alone. Nobody's question is asked before all
 * others wait too or are done: then those that are the same are asked as one. Whose way is shorter waits where the ways
 * meet, which is known from those who came by before.
 */
export function makeLoadBatch<S>(scope: S, size: number) {
  let working = size
  let members = 0
  let asked: PendingLoad[] = []
  let isAsking = false
  let failure: { error: unknown } | null = null

  /** What one of them got wrong is over for all. */
  function fail(error: unknown): void {
    failure ??= { error }
    for (const { fail } of asked.splice(0)) fail(failure.error)
  }

  async function goOn(): Promise<void> {
    if (working > 0 || isAsking || !asked.length) return
    isAsking = true
    const next = asked.reduce((first, one) => (one.depth < first.depth ? one : first))
    const same = asked.filter(({ question }) => question === next.question).sort((a, b) => a.place - b.place)
    asked = asked.filter(({ question }) => question !== next.question)
    try {
      const answers = await next.question(
        scope,
        same.map(({ one }) => one),
      )
      for (const [n, { answer }] of same.entries()) answer(answers[n])
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
        ask<A, R>(question: Loader<S, A, R>, one: A): Promise<R> {
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
            ...{ question: question as PendingLoad['question'], one, place, depth },
            answer(answer) {
              back()
              resolve(answer as R)
            },
            fail(error) {
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
