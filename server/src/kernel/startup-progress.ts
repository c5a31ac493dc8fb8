import type { Log } from './log.ts'

/** Longer than anything of it takes on a small machine that is busy with something else. */
const warnIntervalMs = 10_000

/**
 * Whoever starts a house that does not come up reads what it waits for: a database that does not answer, tables that
 * somebody holds, an upgrade that takes its time.
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
