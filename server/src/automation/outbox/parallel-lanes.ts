type ParallelLanes<T, L> = {
  /** So many at once. */
  most: number
  /** Of one lane, as a conversation, only one is under way. */
  laneOf(one: T): L
  /** The next that is on none of these lanes. */
  take(underWay: L[]): Promise<T | undefined>
  /** False: no more for now. What it throws stops all too, once those under way have ended. */
  carry(one: T): Promise<boolean>
  /** Resolves when there may be something new to take. */
  woken(): Promise<void>
  ended: AbortSignal
}

/**
 * Carries what waits, lanes side by side and each in its own order: one that is slow holds up nobody but itself. Over
 * when nothing is left and nothing under way.
 */
export async function runLanesInParallel<T, L = number>({
  most,
  laneOf,
  take,
  carry,
  woken,
  ended,
}: ParallelLanes<T, L>): Promise<void> {
  const underWay = new Map<L, Promise<void>>()
  const failures: unknown[] = []
  let isOver = false

  async function carryOne(one: T): Promise<void> {
    try {
      if (!(await carry(one))) isOver = true
    } catch (error) {
      failures.push(error)
    } finally {
      underWay.delete(laneOf(one))
    }
  }
  while (!ended.aborted && !isOver && !failures.length) {
    // Asked for before we look: what is stored after it is not overlooked.
    const news = woken()
    const next = underWay.size < most ? await take([...underWay.keys()]) : undefined
    if (next) underWay.set(laneOf(next), carryOne(next))
    else if (underWay.size) await Promise.race([...underWay.values(), ...(underWay.size < most ? [news] : [])])
    else break
  }
  await Promise.all(underWay.values())
  if (failures.length) throw failures[0]
}
