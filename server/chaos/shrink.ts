/** Whether these steps still fail. */
type Fails<S> = (steps: S[]) => Promise<boolean>
export type Bounds = { tries: number; until: number; now?: () => number }

/**
 * The shortest run that still fails, as far as that can be found in these bounds: halves are left out, then quarters,
 * down to single steps, for as long as anything can go. `steps` fail.
 */
export async function shrink<S>(
  steps: S[],
  fails: Fails<S>,
  { tries, until, now = Date.now }: Bounds,
): Promise<{ steps: S[]; tried: number; done: boolean }> {
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
