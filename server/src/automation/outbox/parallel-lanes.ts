type ParallelLanes<T, L> = {
  /** Maximum in parallel. */
  maxParallel: number
  /** Only one item of a lane (a conversation) is in progress. */
  laneOf(one: T): L
  /** The next item that is on none of these lanes. */
  takeNext(underWay: L[]): Promise<T | undefined>
  /** False: no more for now. An error stops everything, too, after those in progress have ended. */
  process(one: T): Promise<boolean>
  /** Resolves when there may be something new to take. */
  whenWoken(): Promise<void>
  signal: AbortSignal
}

/**
 * Processes waiting items, lanes in parallel and each in order: a slow lane delays only itself. Resolves when nothing is
 * left and nothing is in progress.
 */
export async function runLanesInParallel<T, L = number>({
  maxParallel: most,
  laneOf,
  takeNext: take,
  process: carry,
  whenWoken: woken,
  signal: ended,
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
    // Subscribe before taking: an item stored after the look is not missed.
    const news = woken()
    const next = underWay.size < most ? await take([...underWay.keys()]) : undefined
    if (next) underWay.set(laneOf(next), carryOne(next))
    else if (underWay.size) await Promise.race([...underWay.values(), ...(underWay.size < most ? [news] : [])])
    else break
  }
  await Promise.all(underWay.values())
  if (failures.length) throw failures[0]
}
