import type { Misbehaviour } from '@recado/contract/sandbox'

const wellBehaved: Misbehaviour = { drop: 0, delayMs: 0, duplicate: 0, reorder: 0, failSends: '' }
export const behaviourOf = (stored: Partial<Misbehaviour>): Misbehaviour => ({ ...wellBehaved, ...stored })

/** What a bad network makes of some events: those that arrive, in the order they do, and those that arrive once more. */
export function misbehave<E>(events: E[], how: Misbehaviour, chance = Math.random): { arriving: E[]; again: E[] } {
  const arriving = events.filter(() => chance() >= how.drop)
  for (let i = 0; i + 1 < arriving.length; i += 2) {
    if (chance() < how.reorder) arriving.splice(i, 2, arriving[i + 1] as E, arriving[i] as E)
  }
  return { arriving, again: arriving.filter(() => chance() < how.duplicate) }
}
