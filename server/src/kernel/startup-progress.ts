import type { Log } from './log.ts'

/** How often a slow start is logged: longer than any step takes on a small, busy machine. */
const warnIntervalMs = 10_000

/**
 * Logs what a slow start waits for: a database that does not answer, tables locked by another process, an upgrade
 * that takes long.
 */
export async function warnWhileWaiting<T>(
  log: Log,
  what: string,
  work: Promise<T>,
  often = warnIntervalMs,
): Promise<T> {
  const began = performance.now()
  const tell = () =>
    log.warn({ seconds: Math.round((performance.now() - began) / 1000) }, `still starting, waiting for: ${what}`)
  const timer = setInterval(tell, often).unref()
  try {
    return await work
  } finally {
    clearInterval(timer)
  }
}
