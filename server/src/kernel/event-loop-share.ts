/** Maximum concurrent requests per company; only one while the event loop lags and other companies need it, too. */
const maxPerCompany = 4
/**
 * A company with a request this recent needs the event loop, too. If no other company does, a company is not slowed
 * down.
 */
const sharedMs = 1000
/** The event loop lags if a timer fires this much too late. */
const lagThresholdMs = 10
const pollMs = 10
/** A request that takes longer waits for something other than the event loop, such as a model, and no longer counts. */
const maxCountedMs = 1000

/** A request in progress, which occupies a slot of its company. */
export type LoopSlot = { companyId: number; since: number }
type CompanySlots = { slots: Set<LoopSlot>; waiters: ((slot: LoopSlot) => void)[] }

/**
 * Shares the event loop fairly among companies. While the loop lags, a company with more than a few concurrent requests
 * waits, and its requests are admitted one at a time as earlier ones are answered; a company with few requests is
 * always admitted. While the loop keeps up, there is no noticeable wait.
 */
export function makeEventLoopShare(isLate = (ms: number): boolean => ms > lagThresholdMs) {
  const companies = new Map<number, CompanySlots>()
  let isBehind = false
  let isCheckScheduled = false
  let isAdmitting = false
  let lastCompanyId = 0
  let lastChange = Number.NEGATIVE_INFINITY

  function addSlot(companyId: number, companySlots: CompanySlots): LoopSlot {
    const slot = { companyId, since: performance.now() }
    companySlots.slots.add(slot)
    return slot
  }
  /** Admits one request per company in a later turn of the loop: data for other companies is read in between. */
  function admitNext(): void {
    isAdmitting = false
    const isShared = performance.now() - lastChange < sharedMs
    const maxSlots = isBehind && isShared ? 1 : maxPerCompany
    for (const [companyId, companySlots] of companies) {
      if (companySlots.slots.size < maxSlots) companySlots.waiters.shift()?.(addSlot(companyId, companySlots))
      if (companySlots.waiters.length && companySlots.slots.size < maxSlots) admitLater()
    }
  }
  function admitLater(): void {
    if (isAdmitting) return
    isAdmitting = true
    setImmediate(admitNext)
  }

  /** Runs only while requests wait: checks whether the loop keeps up, and which requests no longer count. */
  function checkLag(dueAt: number): void {
    isCheckScheduled = false
    const now = performance.now()
    isBehind = isLate(now - dueAt)
    for (const [companyId, companySlots] of companies) {
      for (const slot of companySlots.slots) {
        if (now - slot.since <= maxCountedMs) break
        companySlots.slots.delete(slot)
      }
      // The admitted requests wait for something other than the event loop, so it has time for more.
      const more = isBehind ? 0 : maxPerCompany
      for (let n = 0; n < more; n++) companySlots.waiters.shift()?.(addSlot(companyId, companySlots))
      if (companySlots.waiters.length) scheduleLagCheck()
    }
    admitLater()
  }
  function scheduleLagCheck(): void {
    if (isCheckScheduled) return
    isCheckScheduled = true
    const dueAt = performance.now() + pollMs
    setTimeout(() => checkLag(dueAt), pollMs)
  }

  return {
    /** Takes a slot. The caller must return it with `release`. */
    acquire(companyId: number): LoopSlot | Promise<LoopSlot> {
      if (companyId !== lastCompanyId) {
        lastCompanyId = companyId
        lastChange = performance.now()
      }
      let companySlots = companies.get(companyId)
      if (!companySlots) {
        companySlots = { slots: new Set(), waiters: [] }
        companies.set(companyId, companySlots)
      }
      if (companySlots.slots.size < maxPerCompany && !companySlots.waiters.length)
        return addSlot(companyId, companySlots)
      const { waiters: waiting } = companySlots
      scheduleLagCheck()
      return new Promise((go) => waiting.push(go))
    },
    release(slot: LoopSlot): void {
      const companySlots = companies.get(slot.companyId)
      if (!companySlots) return
      companySlots.slots.delete(slot)
      if (companySlots.waiters.length) admitLater()
      else if (!companySlots.slots.size) companies.delete(slot.companyId)
    },
  }
}

/** The only instance, because everything in this process shares one event loop. */
export const eventLoopShare = makeEventLoopShare()
