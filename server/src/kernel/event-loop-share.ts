/** Concurrent requests per company; one while the loop is behind and others need it too. */
const maxPerCompany = 4
/** A company with a request this recent needs the loop too. A company alone here is not slowed down. */
const sharedMs = 1000
/** A timer that fires this much too late means the loop is behind. */
const lagThresholdMs = 10
const pollMs = 10
/** A request that takes longer waits for something other than the loop, such as a model, and no longer counts. */
const maxCountedMs = 1000

/** One request in progress. */
export type LoopSlot = { companyId: number; since: number }
type CompanySlots = { slots: Set<LoopSlot>; waiters: ((place: LoopSlot) => void)[] }

/**
 * Fair shares of the event loop. A company with more than a few concurrent requests waits while the loop is
 * behind, and enters one by one as its earlier requests are answered; one with few requests always enters. While
 * the loop keeps up, nobody waits noticeably.
 */
export function makeEventLoopShare(isLate = (ms: number): boolean => ms > lagThresholdMs) {
  const companies = new Map<number, CompanySlots>()
  let isBehind = false
  let isLooking = false
  let isAdmitting = false
  let lastCompanyId = 0
  let lastChange = Number.NEGATIVE_INFINITY

  function take(companyId: number, own: CompanySlots): LoopSlot {
    const place = { companyId, since: performance.now() }
    own.slots.add(place)
    return place
  }
  /** In a later turn of the loop, one per company: data that arrived for others is read in between. */
  function admitNext(): void {
    isAdmitting = false
    const isShared = performance.now() - lastChange < sharedMs
    const most = isBehind && isShared ? 1 : maxPerCompany
    for (const [companyId, own] of companies) {
      if (own.slots.size < most) own.waiters.shift()?.(take(companyId, own))
      if (own.waiters.length && own.slots.size < most) admitLater()
    }
  }
  function admitLater(): void {
    if (isAdmitting) return
    isAdmitting = true
    setImmediate(admitNext)
  }

  /** Runs only while requests wait: checks whether the loop keeps up, and which requests no longer count. */
  function look(dueAt: number): void {
    isLooking = false
    const now = performance.now()
    isBehind = isLate(now - dueAt)
    for (const [companyId, own] of companies) {
      for (const place of own.slots) {
        if (now - place.since <= maxCountedMs) break
        own.slots.delete(place)
      }
      // Those inside wait for something else, and the loop has time for more.
      const more = isBehind ? 0 : maxPerCompany
      for (let n = 0; n < more; n++) own.waiters.shift()?.(take(companyId, own))
      if (own.waiters.length) lookLater()
    }
    admitLater()
  }
  function lookLater(): void {
    if (isLooking) return
    isLooking = true
    const dueAt = performance.now() + pollMs
    setTimeout(() => look(dueAt), pollMs)
  }

  return {
    /** A place must be released with `leave`. */
    acquire(companyId: number): LoopSlot | Promise<LoopSlot> {
      if (companyId !== lastCompanyId) {
        lastCompanyId = companyId
        lastChange = performance.now()
      }
      let own = companies.get(companyId)
      if (!own) {
        own = { slots: new Set(), waiters: [] }
        companies.set(companyId, own)
      }
      if (own.slots.size < maxPerCompany && !own.waiters.length) return take(companyId, own)
      const { waiters: waiting } = own
      lookLater()
      return new Promise((go) => waiting.push(go))
    },
    release(place: LoopSlot): void {
      const own = companies.get(place.companyId)
      if (!own) return
      own.slots.delete(place)
      if (own.waiters.length) admitLater()
      else if (!own.slots.size) companies.delete(place.companyId)
    },
  }
}

/** For this process: everything it receives shares one event loop. */
export const eventLoopShare = makeEventLoopShare()
