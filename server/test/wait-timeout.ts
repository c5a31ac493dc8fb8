import { expect, vi } from 'vitest'

/** A long timeout: busy or shared machines have been four times slower than ours. */
export const waitTimeoutMs = 45_000

/** A test may wait longer than this, not shorter. */
const withMinimum = <T extends { timeout?: number }>(options: T): T => ({
  ...options,
  timeout: Math.max(options.timeout ?? 0, waitTimeoutMs),
})

const { waitFor } = vi
vi.waitFor = (look, options = {}) =>
  waitFor(look, withMinimum(typeof options === 'number' ? { timeout: options } : options))

const { poll } = expect
expect.poll = (look, options = {}) => poll(look, withMinimum(options))
