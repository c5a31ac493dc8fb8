import type { ChaosPlan } from './plan.ts'

/** Whether these steps still fail. */
type StepsFail<S> = (steps: S[]) => Promise<boolean>
export type ShrinkLimits = { tries: number; until: number; now?: () => number }
type ShrinkResult<S> = { steps: S[]; tried: number; done: boolean }

/**
 * The shortest run that still fails, as far as that can be found in these bounds: halves are left out, then quarters,
 * down to single steps, for as long as anything can go. `steps` fail.
 */
export async function shrinkSteps<S>(
  steps: S[],
  fails: StepsFail<S>,
  { tries, until, now = Date.now }: ShrinkLimits,
): Promise<ShrinkResult<S>> {
  let left = steps
  let tried = 0
  let size = Math.ceil(left.length / 2)
  while (size >= 1 && left.length > 1) {
    let smaller = false
    for (let from = 0; from < left.length && left.length > 1; ) {
      if (tried >= tries || now() >= until) return { steps: left, tried, done: false }
      const rest = left.toSpliced(from, size)
      tried++
      if (rest.length && (await fails(rest))) {
        left = rest
        smaller = true
      } else from += size
    }
    if (size === 1 && !smaller) break
    size = size === 1 ? 1 : Math.ceil(Math.min(size, left.length) / 2)
  }
  return { steps: left, tried, done: true }
}

const failureKinds = ['lost', 'doubled', 'disordered', 'astray', 'broken'] as const
/** How often a run failed in which way; `broken`: it did not come to its end. */
export type FailureCounts = Record<(typeof failureKinds)[number], number>

/**
 * The same for a plan that failed as `first` says. Only what fails in one of its ways counts: a run that fails otherwise
 * would lead to another fault than the one that is looked for.
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
