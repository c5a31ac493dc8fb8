import type { Message } from '@recado/contract/messages'
import { entriesReadyToSend, type OutboxAction, type OutboxEntry, reduceOutbox } from './outbox-queue.ts'

export type SendProgress = { signal: AbortSignal; onProgress: (share: number) => void }
export type OutboxDeps = {
  /** Asks the server. The same `clientId` twice is one message. */
  send: (entry: OutboxEntry, handed: SendProgress) => Promise<Message>
  /** Is it the network's fault, so that trying again by itself makes sense? */
  passing: (error: unknown) => boolean
  /** May anything be sent at all? Not while nobody, or somebody else, is logged in. */
  open: () => boolean
  /** Writes an entry down, or crosses it out, so that a reload does not lose it. */
  keep: (entry: OutboxEntry) => void
  forget: (entry: OutboxEntry) => void
}

/** Between tries while the network is away; coming back online does not wait for it. */
const retryDelaysMs = [1000, 2000, 5000, 10_000, 20_000, 30_000]
/** A stored message may reach the thread a moment after the reply; until then this one stands for it. */
const storedEntryTtlMs = 3000

/** Sends what is handed to it: in order within a ticket, each message once, until it is stored or refused. */
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
    if (!means.open()) return
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
    means.forget(entry)
    apply({ do: 'stored', clientId })
    for (const hear of hearers) hear(message)
    end(clientId, message)
    setTimeout(() => apply({ do: 'drop', clientId }), storedEntryTtlMs)
  }

  function miss(clientId: string, error: unknown): void {
    if (means.passing(error)) {
      apply({ do: 'wait', clientId, error })
      timer ??= setTimeout(wake, retryDelaysMs[Math.min(misses++, retryDelaysMs.length - 1)])
      return
    }
    apply({ do: 'fail', clientId, error })
    const entry = find(clientId)
    if (entry) means.keep(entry)
    end(clientId, null)
  }

  /** The network may be back: try now. */
  function wake(): void {
    clearTimeout(timer)
    timer = undefined
    pump()
  }

  /** Takes one out, wherever it is, and says what it was. What the server already has is no longer ours to take. */
  function remove(clientId: string): OutboxEntry | null {
    const entry = find(clientId)
    if (!entry || entry.phase === 'stored') return null
    apply({ do: 'drop', clientId })
    means.forget(entry)
    flights.get(clientId)?.abort()
    end(clientId, null)
    pump()
    return entry
  }

  return {
    entries: () => queue,
    /** Resolves with what was stored, or with null when it was refused or taken out. */
    add(entries: OutboxEntry[]): Promise<Message | null>[] {
      for (const entry of entries) means.keep(entry)
      const ends = entries.map(({ clientId }) => new Promise<Message | null>((done) => endings.set(clientId, done)))
      apply({ do: 'add', entries })
      // Something new to say is reason enough to try the network again.
      wake()
      return ends
    },
    /** What an earlier page left behind. */
    adopt(entries: OutboxEntry[]): void {
      apply({ do: 'add', entries: entries.map((one) => (one.phase === 'failed' ? one : { ...one, phase: 'waiting' })) })
      pump()
    },
    retry(clientId: string): void {
      apply({ do: 'retry', clientId, at: new Date().toISOString() })
      const entry = find(clientId)
      if (entry) means.keep(entry)
      wake()
    },
    remove,
    wake,
    /** News that the server has it, before or without the reply. */
    settle(message: Message): void {
      if (message.clientId && find(message.clientId)) land(message.clientId, message)
    },
    /** Somebody else sits down here: what is on its way stays written down for whom it belongs to. */
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
