import type { Log } from '../log.ts'

/** Which event kinds the webhooks of each company want: provided by the layer that stores them. */
export type WebhookInterestSource = {
  loadAll(): Promise<{ companyId: number; events: string[] }[]>
  /** Called when it changed in this process: the cache is stale from this moment. */
  onLocalWrite(forget: () => void): void
  /** Called when it changed elsewhere, or may have. */
  onChange(look: () => void): void
}

/** A signal may be lost: how often it is read anyway. */
const pollMs = 60_000
/** Unrelated events such as logins also trigger it, so it is read at most once a second. */
const debounceMs = 1000

export type WebhookInterest = Awaited<ReturnType<typeof openWebhookInterest>>

/** Checked for every event that may go to a webhook: companies without one have no cost. */
export async function openWebhookInterest(wanted: WebhookInterestSource, log: Log) {
  let known = new Map<number, Set<string>>()
  let isOld = false
  let looking = false
  let again = false
  let later: NodeJS.Timeout | undefined
  const wakers: ((companyId: number) => void)[] = []

  async function look(): Promise<void> {
    again = true
    if (looking) return
    looking = true
    while (again) {
      again = false
      try {
        const rows = await wanted.loadAll()
        if (again) continue
        known = new Map()
        for (const { companyId, events } of rows)
          known.set(companyId, new Set([...(known.get(companyId) ?? []), ...events]))
        isOld = false
      } catch (err) {
        log.warn({ err }, 'webhooks cannot be read')
      }
    }
    looking = false
  }
  await look()
  wanted.onLocalWrite(() => {
    isOld = true
    void look()
  })
  wanted.onChange(() => {
    later ??= setTimeout(() => {
      later = undefined
      void look()
    }, debounceMs).unref()
  })
  const looks = setInterval(() => void look(), pollMs).unref()

  return {
    /** True while the cache is stale: the writer checks again. */
    wants: (companyId: number, type: string): boolean => isOld || known.get(companyId)?.has(type) === true,
    /** An event of this company waits to be sent. */
    wake(companyId: number): void {
      for (const waker of wakers) waker(companyId)
    },
    onWake: (waker: (companyId: number) => void) => void wakers.push(waker),
    close(): void {
      clearInterval(looks)
      clearTimeout(later)
    },
  }
}

/** For a process without webhooks: a line process. */
export const noWebhookInterest: WebhookInterest = {
  wants: () => false,
  wake: () => {},
  onWake: () => {},
  close: () => {},
}
