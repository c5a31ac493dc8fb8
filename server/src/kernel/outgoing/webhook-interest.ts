import type { Log } from '../log.ts'

/** Which event kinds the webhooks of each company want: provided by the layer that stores them. */
export type WebhookInterestSource = {
  loadAll(): Promise<{ companyId: number; events: string[] }[]>
  /** Called when it changed in this process: the cache is stale from this moment. */
  onLocalWrite(forget: () => void): void
  /** Called when it changed elsewhere, or may have. */
  onChange(reload: () => void): void
}

/** A signal may be lost: how often it is read anyway. */
const pollMs = 60_000
/** Unrelated events such as logins also trigger it, so it is read at most once a second. */
const debounceMs = 1000

export type WebhookInterest = Awaited<ReturnType<typeof openWebhookInterest>>

/** Checked for every event that may go to a webhook: companies without one have no cost. */
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
    /** True while the cache is stale: the writer checks again. */
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

/** For a process without webhooks: a line process. */
export const noWebhookInterest: WebhookInterest = {
  wants: () => false,
  wake: () => {},
  onWake: () => {},
  close: () => {},
}
