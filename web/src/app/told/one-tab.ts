/** Tabs that could do it better get ahead by this much. */
const ahead = 120

type Eagerness = 'first' | 'soon' | 'last'
const patience: Record<Eagerness, number> = { first: 0, soon: ahead, last: 2 * ahead }

/**
 * Of all tabs of this browser one does something, and for a while no other does it again: locks are shared by all of
 * them. Without a secure address there are none, and every tab speaks for itself.
 */
export async function inOneTab(what: string, eagerness: Eagerness, holdMs: number, act: () => void): Promise<void> {
  if (patience[eagerness] > 0) await pause(patience[eagerness])
  if (!navigator.locks) return act()
  await navigator.locks.request(`recado ${what}`, { ifAvailable: true }, async (lock) => {
    if (!lock) return
    act()
    await pause(holdMs)
  })
}

const pause = (ms: number) => new Promise<void>((done) => setTimeout(done, ms))
