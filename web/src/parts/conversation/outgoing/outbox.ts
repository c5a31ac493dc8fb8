import type { Message } from '@recado/contract/messages'
import { entriesReadyToSend, type OutboxAction, type OutboxEntry, reduceOutbox } from './outbox-queue.ts'

export type SendProgress = { signal: AbortSignal; onProgress: (share: number) => void }
export type OutboxDeps = {
  /** Calls the server. The same `clientId` twice is one message. */
  send: (entry: OutboxEntry, handed: SendProgress) => Promise<Message>
  /** Whether it is a transient failure that is worth retrying automatically. */
  isTransient: (error: unknown) => boolean
  /** Whether sending is allowed: not while nobody, or another user, is logged in. */
  canSend: () => boolean
  /** Stores or removes an entry, so that a reload does not lose it. */
  storeEntry: (entry: OutboxEntry) => void
  removeEntry: (entry: OutboxEntry) => void
}

/** Delays between retries while the network is down; coming back online skips them. */
const retryDelaysMs = [1000, 2000, 5000, 10_000, 20_000, 30_000]
/** A stored message may reach the thread shortly after the response; until then this entry is shown. */
const storedEntryTtlMs = 3000

/** Sends entries: in order within a ticket, each message once, until it is stored or refused. */
export function createBrowserOutbox(means: OutboxDeps) {
  let queue: OutboxEntry[] = []
  let misses = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const watchers = new Set<() => void>()
  const flights = new Map<string, AbortController>()
  const endings = new Map<string, (message: Message | null) => void>()
  const hearers = new Set<(message: Message) => void>()

  function apply(deed: OutboxAction): void {
    const next = reduceOutbox(queue, deed)
    if (next === queue) return
    queue = next
    for (const watcher of watchers) watcher()
  }
  const find = (clientId: string) => queue.find((entry) => entry.clientId === clientId)
  const end = (clientId: string, message: Message | null) => {
    endings.get(clientId)?.(message)
    endings.delete(clientId)
  }

  function pump(): void {
    if (!means.canSend()) return
    for (const entry of entriesReadyToSend(queue)) void fly(entry)
  }

  async function fly(entry: OutboxEntry): Promise<void> {
    const { clientId } = entry
    const flight = new AbortController()
    flights.set(clientId, flight)
    apply({ do: 'fly', clientId })
    try {
      const onProgress = (share: number) => apply({ do: 'progress', clientId, share })
      const message = await means.send(entry, { signal: flight.signal, onProgress })
      misses = 0
      land(clientId, message)
    } catch (error) {
      if (!flight.signal.aborted) miss(clientId, error)
    } finally {
      if (flights.get(clientId) === flight) flights.delete(clientId)
      if (!timer) pump()
    }
  }

  function land(clientId: string, message: Message): void {
    const entry = find(clientId)
    if (!entry || entry.phase === 'stored') return
    means.removeEntry(entry)
    apply({ do: 'stored', clientId })
    for (const hear of hearers) hear(message)
    end(clientId, message)
    setTimeout(() => apply({ do: 'drop', clientId }), storedEntryTtlMs)
  }

  function miss(clientId: string, error: unknown): void {
    if (means.isTransient(error)) {
      apply({ do: 'wait', clientId, error })
      timer ??= setTimeout(wake, retryDelaysMs[Math.min(misses++, retryDelaysMs.length - 1)])
      return
    }
    apply({ do: 'fail', clientId, error })
    const entry = find(clientId)
    if (entry) means.storeEntry(entry)
    end(clientId, null)
  }

  /** The network may be back: retry now. */
  function wake(): void {
    clearTimeout(timer)
    timer = undefined
    pump()
  }

  /** Removes an entry and returns it. A message the server already has cannot be removed. */
  function remove(clientId: string): OutboxEntry | null {
    const entry = find(clientId)
    if (!entry || entry.phase === 'stored') return null
    apply({ do: 'drop', clientId })
    means.removeEntry(entry)
    flights.get(clientId)?.abort()
    end(clientId, null)
    pump()
    return entry
  }

  return {
    entries: () => queue,
    /** Resolves with the stored message, or with null when it was refused or removed. */
    add(entries: OutboxEntry[]): Promise<Message | null>[] {
      for (const entry of entries) means.storeEntry(entry)
      const ends = entries.map(({ clientId }) => new Promise<Message | null>((done) => endings.set(clientId, done)))
      apply({ do: 'add', entries })
      // A new message is a reason to try the network again.
      wake()
      return ends
    },
    /** Takes over entries of an earlier page. */
    restore(entries: OutboxEntry[]): void {
      apply({ do: 'add', entries: entries.map((one) => (one.phase === 'failed' ? one : { ...one, phase: 'waiting' })) })
      pump()
    },
    retry(clientId: string): void {
      apply({ do: 'retry', clientId, at: new Date().toISOString() })
      const entry = find(clientId)
      if (entry) means.storeEntry(entry)
      wake()
    },
    remove,
    retryNow: wake,
    /** An event confirms it, before or without the response. */
    confirmStored(message: Message): void {
      if (message.clientId && find(message.clientId)) land(message.clientId, message)
    },
    /** Another user logs in: pending entries stay stored for their owner. */
    clear(): void {
      clearTimeout(timer)
      timer = undefined
      for (const flight of flights.values()) flight.abort()
      for (const { clientId } of queue) {
        apply({ do: 'drop', clientId })
        end(clientId, null)
      }
      flights.clear()
    },
    subscribe(watcher: () => void): () => void {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    onStored(hear: (message: Message) => void): () => void {
      hearers.add(hear)
      return () => hearers.delete(hear)
    },
  }
}
export type BrowserOutbox = ReturnType<typeof createBrowserOutbox>
