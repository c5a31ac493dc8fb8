/** How long this tab waits, so that tabs that are better placed can perform the action first. */
const lastTabDelayMs = 120

type Eagerness = 'first' | 'last'
const delayMsByEagerness: Record<Eagerness, number> = { first: 0, last: lastTabDelayMs }

/**
 * Lets only one tab of this browser perform the action, and no other tab repeat it for a while, by locks that all tabs
 * share. Without a secure origin there are no locks, and every tab acts on its own.
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

/** Announces `what` to the other tabs of this browser until the returned function is called. */
export function announceToTabs(what: string): () => void {
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  void navigator.locks?.request(`recado ${what}`, { mode: 'shared' }, () => over)
  return end
}

/** Whether a tab of this browser currently announces `what`. */
export async function isAnnouncedByAnyTab(what: string): Promise<boolean> {
  const { held } = (await navigator.locks?.query()) ?? {}
  return held?.some(({ name }) => name === `recado ${what}`) ?? false
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))
