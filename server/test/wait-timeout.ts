import { vi } from 'vitest'

/** A long timeout: busy or shared machines have been four times slower than ours. */
export const waitTimeoutMs = 45_000

const { waitFor } = vi
vi.waitFor = (look, options = {}) => {
  const given = typeof options === 'number' ? { timeout: options } : options
  return waitFor(look, { ...given, timeout: Math.max(given.timeout ?? 0, waitTimeoutMs) })
}
