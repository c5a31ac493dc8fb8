/** Tabs that could do it better get ahead by this much. */
const lastTabDelayMs = 120

type Eagerness = 'first' | 'last'
const delayMsByEagerness: Record<Eagerness, number> = { first: 0, last: lastTabDelayMs }

/**
 * Of all tabs of this browser one does something, and for a while no other does it again: locks are shared by all of
 * them. Without a secure address there are none, and every tab speaks for itself.
 */
export async function runInOneTab(what: string, eagerness: Eagerness, holdMs: number, act: () => void): Promise<void> {
  if (delayMsByEagerness[eagerness] > 0) await pause(delayMsByEagerness[eagerness])
  if (!navigator.locks) return act()
  await navigator.locks.request(`recado ${what}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return
    act()
    await pause(holdMs)
  })
}

/** For the other tabs of this browser to know, until it is over. */
export function announceToTabs(what: string): () => void {
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  void navigator.locks?.request(`recado ${what}`, { mode: 'shared' }, () => over)
  return end
}

/** Whether some tab of this browser shows that now. */
export async function isAnnouncedByAnyTab(what: string): Promise<boolean> {
  const { held } = (await navigator.locks?.query()) ?? {}
  return held?.some(({ name }) => name === `recado ${what}`) ?? false
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))
