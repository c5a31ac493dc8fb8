type ParallelLanes<T, L> = {
  /** Maximum in parallel. */
  maxParallel: number
  /** Only one item of a lane (a conversation) is in progress. */
  laneOf(one: T): L
  /** The next item that is on none of these lanes. */
  takeNext(running: L[]): Promise<T | undefined>
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
  maxParallel,
  laneOf,
  takeNext: take,
  process: carry,
  whenWoken: woken,
  signal: ended,
}: ParallelLanes<T, L>): Promise<void> {
  const running = new Map<L, Promise<void>>()
  const failures: unknown[] = []
  let isExhausted = false

  async function processOne(one: T): Promise<void> {
    try {
      if (!(await carry(one))) isExhausted = true
    } catch (error) {
      failures.push(error)
    } finally {
      running.delete(laneOf(one))
    }
  }
  while (!ended.aborted && !isExhausted && !failures.length) {
    // Subscribe before taking: an item stored after the look is not missed.
    const news = woken()
    const next = running.size < maxParallel ? await take([...running.keys()]) : undefined
    if (next) running.set(laneOf(next), processOne(next))
    else if (running.size) await Promise.race([...running.values(), ...(running.size < maxParallel ? [news] : [])])
    else break
  }
  await Promise.all(running.values())
  if (failures.length) throw failures[0]
}
