import type { Log } from '../log.ts'

/** Which kinds of events the webhooks of each company want: kept by the floor that knows them. */
export type WebhookInterestSource = {
  all(): Promise<{ companyId: number; events: string[] }[]>
  /** What is wanted has changed here: what was known is old from this moment. */
  onWritten(forget: () => void): void
  /** It has changed elsewhere, or may have. */
  onChange(look: () => void): void
}

/** A word may get lost on its way: this often we look ourselves. */
const pollMs = 60_000
/** People who log in change what may be wanted as little as anything else: they are looked after once a second. */
const debounceMs = 1000

export type WebhookInterest = Awaited<ReturnType<typeof openWebhookInterest>>

/** Asked wherever something happens that may be told outside: who has no webhook pays nothing for it. */
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
        const rows = await wanted.all()
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
  wanted.onWritten(() => {
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
    /** While what we know is old, yes: who writes it down looks again. */
    wants: (companyId: number, type: string): boolean => isOld || known.get(companyId)?.has(type) === true,
    /** Something of this company waits to be told. */
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

/** For a process that tells nobody: a line alone. */
export const noWebhookInterest: WebhookInterest = {
  wants: () => false,
  wake: () => {},
  onWake: () => {},
  close: () => {},
}
