import { vi } from 'vitest'

/** What is waited for comes when it comes: a second, the default, is too short for a machine that is busy. */
export const patience = 15_000

const { waitFor } = vi
vi.waitFor = (look, options = {}) => {
  const given = typeof options === 'number' ? { timeout: options } : options
  return waitFor(look, { ...given, timeout: Math.max(given.timeout ?? 0, patience) })
}
