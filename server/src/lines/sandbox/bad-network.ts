import type { SandboxFaults } from '@recado/contract/sandbox'

const wellBehaved: SandboxFaults = { drop: 0, delayMs: 0, duplicate: 0, reorder: 0, failSends: '' }
export const withDefaultBehaviour = (stored: Partial<SandboxFaults>): SandboxFaults => ({ ...wellBehaved, ...stored })

/** What a bad network makes of some events: those that arrive, in order of arrival, and those that arrive again. */
export function simulateBadNetwork<E>(
  events: E[],
  how: SandboxFaults,
  chance = Math.random,
): { delivered: E[]; duplicates: E[] } {
  const arriving = events.filter(() => chance() >= how.drop)
  for (let i = 0; i + 1 < arriving.length; i += 2) {
    if (chance() < how.reorder) arriving.splice(i, 2, arriving[i + 1] as E, arriving[i] as E)
  }
  return { delivered: arriving, duplicates: arriving.filter(() => chance() < how.duplicate) }
}
