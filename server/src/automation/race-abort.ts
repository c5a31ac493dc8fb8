/** The result of the work, unless the signal aborts first. */
export async function raceAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
