import type { Plan } from './plan.ts'

/** Whether these steps still fail. */
type Fails<S> = (steps: S[]) => Promise<boolean>
export type Bounds = { tries: number; until: number; now?: () => number }
type Shrunk<S> = { steps: S[]; tried: number; done: boolean }

/**
 * The shortest run that still fails, as far as that can be found in these bounds: halves are left out, then quarters,
 * down to single steps, for as long as anything can go. `steps` fail.
 */
export async function shrink<S>(
  steps: S[],
  fails: Fails<S>,
  { tries, until, now = Date.now }: Bounds,
): Promise<Shrunk<S>> {
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

const kinds = ['lost', 'doubled', 'disordered', 'astray', 'broken'] as const
/** How often a run failed in which way; `broken`: it did not come to its end. */
export type Failed = Record<(typeof kinds)[number], number>

/**
 * The same for a plan that failed as `first` says. Only what fails in one of its ways counts: a run that fails otherwise
 * would lead to another fault than the one that is looked for.
 */
export const shrinkPlan = (
  plan: Plan,
  first: Failed,
  run: (plan: Plan) => Promise<Failed>,
  bounds: Bounds,
): Promise<Shrunk<Plan['steps'][number]>> =>
  shrink(
    plan.steps,
    async (steps) => {
      const again = await run({ ...plan, steps })
      return kinds.some((kind) => first[kind] > 0 && again[kind] > 0)
    },
    bounds,
  )
