import type { SandboxFaults } from '@recado/contract/sandbox'

const wellBehaved: SandboxFaults = { drop: 0, delayMs: 0, duplicate: 0, reorder: 0, failSends: '' }
export const withDefaultBehaviour = (stored: Partial<SandboxFaults>): SandboxFaults => ({ ...wellBehaved, ...stored })

/** Applies a bad network to events: returns those that arrive, in order of arrival, and those that arrive again. */
export function simulateBadNetwork<E>(
  events: E[],
  faults: SandboxFaults,
  chance = Math.random,
): { delivered: E[]; duplicates: E[] } {
  const delivered = events.filter(() => chance() >= faults.drop)
  for (let i = 0; i + 1 < delivered.length; i += 2) {
    if (chance() < faults.reorder) delivered.splice(i, 2, delivered[i + 1] as E, delivered[i] as E)
  }
  return { delivered: delivered, duplicates: delivered.filter(() => chance() < faults.duplicate) }
}
