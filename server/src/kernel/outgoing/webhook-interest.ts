import type { Log } from '../log.ts'

/** Which event kinds the webhooks of each company want: provided by the layer that stores them. */
export type WebhookInterestSource = {
  loadAll(): Promise<{ companyId: number; events: string[] }[]>
  /** Called when subscriptions changed in this process: the cache is stale from this moment. */
  onLocalWrite(forget: () => void): void
  /** Called when subscriptions changed, or may have changed, in another process. */
  onChange(reload: () => void): void
}

/** A signal may be lost, so subscriptions are also read this often. */
const pollMs = 60_000
/** Unrelated events such as logins also trigger a reload, so there is at most one per second. */
const debounceMs = 1000

export type WebhookInterest = Awaited<ReturnType<typeof openWebhookInterest>>

/** Tells for every event whether any webhook wants it, so that companies without webhooks cause no cost. */
export async function openWebhookInterest(source: WebhookInterestSource, log: Log) {
  let eventsByCompany = new Map<number, Set<string>>()
  let isStale = false
  let isLoading = false
  let isReloadNeeded = false
  let debounceTimer: NodeJS.Timeout | undefined
  const listeners: ((companyId: number) => void)[] = []

  async function reload(): Promise<void> {
    isReloadNeeded = true
    if (isLoading) return
    isLoading = true
    while (isReloadNeeded) {
      isReloadNeeded = false
      try {
        const rows = await source.loadAll()
        if (isReloadNeeded) continue
        eventsByCompany = new Map()
        for (const { companyId, events } of rows)
          eventsByCompany.set(companyId, new Set([...(eventsByCompany.get(companyId) ?? []), ...events]))
        isStale = false
      } catch (err) {
        log.warn({ err }, 'webhooks cannot be read')
      }
    }
    isLoading = false
  }
  await reload()
  source.onLocalWrite(() => {
    isStale = true
    void reload()
  })
  source.onChange(() => {
    debounceTimer ??= setTimeout(() => {
      debounceTimer = undefined
      void reload()
    }, debounceMs).unref()
  })
  const timer = setInterval(() => void reload(), pollMs).unref()

  return {
    /**
     * Whether a webhook of the company may want this event. Also true while the cache is stale: the code that writes
     * the event checks again.
     */
    wants: (companyId: number, type: string): boolean => isStale || eventsByCompany.get(companyId)?.has(type) === true,
    /** An event of this company waits to be sent. */
    wake(companyId: number): void {
      for (const waker of listeners) waker(companyId)
    },
    onWake: (waker: (companyId: number) => void) => void listeners.push(waker),
    close(): void {
      clearInterval(timer)
      clearTimeout(debounceTimer)
    },
  }
}

/** For a process that dispatches no webhooks, such as a line process. */
export const noWebhookInterest: WebhookInterest = {
  wants: () => false,
  wake: () => {},
  onWake: () => {},
  close: () => {},
}
