type ParallelLanes<T, L> = {
  /** Maximum number of items processed in parallel. */
  maxParallel: number
  /** Only one item of a lane (a conversation) is in progress. */
  laneOf(one: T): L
  /** The next item whose lane is none of these. */
  takeNext(running: L[]): Promise<T | undefined>
  /** False: stop for now. An error also stops all lanes, after the items in progress have ended. */
  process(one: T): Promise<boolean>
  /** Resolves when there may be a new item to take. */
  whenWoken(): Promise<void>
  signal: AbortSignal
}

/**
 * Processes waiting items, lanes in parallel and each lane in order, so that a slow lane delays only itself. Resolves when
 * no item is left or in progress.
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
    // The worker subscribes before it takes an item, so that an item stored just afterwards is not missed.
    const news = woken()
    const next = running.size < maxParallel ? await take([...running.keys()]) : undefined
    if (next) running.set(laneOf(next), processOne(next))
    else if (running.size) await Promise.race([...running.values(), ...(running.size < maxParallel ? [news] : [])])
    else break
  }
  await Promise.all(running.values())
  if (failures.length) throw failures[0]
}
