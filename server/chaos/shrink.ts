import type { ChaosPlan } from './plan.ts'

/** Whether these steps still fail. */
type StepsFail<S> = (steps: S[]) => Promise<boolean>
export type ShrinkLimits = { maxAttempts: number; deadline: number; now?: () => number }
type ShrinkResult<S> = { steps: S[]; attempts: number; isComplete: boolean }

/**
 * Finds the shortest list of steps that still fails, within the limits: removes halves, then quarters, down to single
 * steps, as long as anything can be removed. `steps` must fail.
 */
export async function shrinkSteps<S>(
  steps: S[],
  fails: StepsFail<S>,
  { maxAttempts: tries, deadline: until, now = Date.now }: ShrinkLimits,
): Promise<ShrinkResult<S>> {
  let remaining = steps
  let tried = 0
  let size = Math.ceil(remaining.length / 2)
  while (size >= 1 && remaining.length > 1) {
    let smaller = false
    for (let from = 0; from < remaining.length && remaining.length > 1; ) {
      if (tried >= tries || now() >= until) return { steps: remaining, attempts: tried, isComplete: false }
      const rest = remaining.toSpliced(from, size)
      tried++
      if (rest.length && (await fails(rest))) {
        remaining = rest
        smaller = true
      } else from += size
    }
    if (size === 1 && !smaller) break
    size = size === 1 ? 1 : Math.ceil(Math.min(size, remaining.length) / 2)
  }
  return { steps: remaining, attempts: tried, isComplete: true }
}

const failureKinds = ['lost', 'doubled', 'disordered', 'astray', 'broken'] as const
/** The number of failures by kind; `broken`: the run did not finish. */
export type FailureCounts = Record<(typeof failureKinds)[number], number>

/**
 * Shrinks a plan that failed with `first`. Only the same kinds of failure count: a run with another failure would
 * lead to another bug.
 */
export const shrinkPlan = (
  plan: ChaosPlan,
  first: FailureCounts,
  run: (plan: ChaosPlan) => Promise<FailureCounts>,
  bounds: ShrinkLimits,
): Promise<ShrinkResult<ChaosPlan['steps'][number]>> =>
  shrinkSteps(
    plan.steps,
    async (steps) => {
      const again = await run({ ...plan, steps })
      return failureKinds.some((kind) => first[kind] > 0 && again[kind] > 0)
    },
    bounds,
  )
