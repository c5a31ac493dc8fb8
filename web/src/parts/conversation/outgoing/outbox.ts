import type { Message } from '@recado/contract/messages'
import { entriesReadyToSend, type OutboxAction, type OutboxEntry, reduceOutbox } from './outbox-queue.ts'

export type SendProgress = { signal: AbortSignal; onProgress: (share: number) => void }
export type OutboxDeps = {
  /** Calls the server, which stores two calls with the same `clientId` as one message. */
  send: (entry: OutboxEntry, progress: SendProgress) => Promise<Message>
  /** Whether the error is a transient failure that is worth retrying automatically. */
  isTransient: (error: unknown) => boolean
  /** Whether sending is allowed: only while the owner of the messages is logged in. */
  canSend: () => boolean
  /** Stores or removes an entry, so that a reload does not lose it. */
  storeEntry: (entry: OutboxEntry) => void
  removeEntry: (entry: OutboxEntry) => void
}

/** Delays between retries while the network is down; a browser that comes back online retries at once. */
const retryDelaysMs = [1000, 2000, 5000, 10_000, 20_000, 30_000]
/**
 * How long an entry is shown after the message was stored: the message may reach the thread shortly after the response.
 */
const storedEntryTtlMs = 3000

/** Sends entries: in order within a ticket, each message once, until it is stored or refused. */
export function createBrowserOutbox(deps: OutboxDeps) {
  let queue: OutboxEntry[] = []
  let failureCount = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const listeners = new Set<() => void>()
  const inFlight = new Map<string, AbortController>()
  const resolvers = new Map<string, (message: Message | null) => void>()
  const storedListeners = new Set<(message: Message) => void>()

  function apply(action: OutboxAction): void {
    const next = reduceOutbox(queue, action)
    if (next === queue) return
    queue = next
    for (const listener of listeners) listener()
  }
  const find = (clientId: string) => queue.find((entry) => entry.clientId === clientId)
  const end = (clientId: string, message: Message | null) => {
    resolvers.get(clientId)?.(message)
    resolvers.delete(clientId)
  }

  function sendReadyEntries(): void {
    if (!deps.canSend()) return
    for (const entry of entriesReadyToSend(queue)) void sendNow(entry)
  }

  async function sendNow(entry: OutboxEntry): Promise<void> {
    const { clientId } = entry
    const abortController = new AbortController()
    inFlight.set(clientId, abortController)
    apply({ do: 'fly', clientId })
    try {
      const onProgress = (share: number) => apply({ do: 'progress', clientId, share })
      const message = await deps.send(entry, { signal: abortController.signal, onProgress })
      failureCount = 0
      markStored(clientId, message)
    } catch (error) {
      if (!abortController.signal.aborted) handleFailure(clientId, error)
    } finally {
      if (inFlight.get(clientId) === abortController) inFlight.delete(clientId)
      if (!timer) sendReadyEntries()
    }
  }

  function markStored(clientId: string, message: Message): void {
    const entry = find(clientId)
    if (!entry || entry.phase === 'stored') return
    deps.removeEntry(entry)
    apply({ do: 'stored', clientId })
    for (const storedListener of storedListeners) storedListener(message)
    end(clientId, message)
    setTimeout(() => apply({ do: 'drop', clientId }), storedEntryTtlMs)
  }

  function handleFailure(clientId: string, error: unknown): void {
    if (deps.isTransient(error)) {
      apply({ do: 'wait', clientId, error })
      timer ??= setTimeout(retryNow, retryDelaysMs[Math.min(failureCount++, retryDelaysMs.length - 1)])
      return
    }
    apply({ do: 'fail', clientId, error })
    const entry = find(clientId)
    if (entry) deps.storeEntry(entry)
    end(clientId, null)
  }

  /** Retries now, because the network may be back. */
  function retryNow(): void {
    clearTimeout(timer)
    timer = undefined
    sendReadyEntries()
  }

  /** Removes an entry and returns it. A message that the server already has cannot be removed. */
  function remove(clientId: string): OutboxEntry | null {
    const entry = find(clientId)
    if (!entry || entry.phase === 'stored') return null
    apply({ do: 'drop', clientId })
    deps.removeEntry(entry)
    inFlight.get(clientId)?.abort()
    end(clientId, null)
    sendReadyEntries()
    return entry
  }

  return {
    entries: () => queue,
    /**
     * Adds entries. Each promise resolves with the stored message, or with null when the message was refused or
     * removed.
     */
    add(entries: OutboxEntry[]): Promise<Message | null>[] {
      for (const entry of entries) deps.storeEntry(entry)
      const ends = entries.map(({ clientId }) => new Promise<Message | null>((done) => resolvers.set(clientId, done)))
      apply({ do: 'add', entries })
      // A new message is a reason to try the network again.
      retryNow()
      return ends
    },
    /** Takes over entries of an earlier page. */
    restore(entries: OutboxEntry[]): void {
      apply({ do: 'add', entries: entries.map((one) => (one.phase === 'failed' ? one : { ...one, phase: 'waiting' })) })
      sendReadyEntries()
    },
    retry(clientId: string): void {
      apply({ do: 'retry', clientId, at: new Date().toISOString() })
      const entry = find(clientId)
      if (entry) deps.storeEntry(entry)
      retryNow()
    },
    remove,
    /** Stops showing a message that was stored and then taken back. */
    forget: (clientId: string): void => apply({ do: 'drop', clientId }),
    retryNow: retryNow,
    /** Marks a message as stored because of an event, before the response or without it. */
    confirmStored(message: Message): void {
      if (message.clientId && find(message.clientId)) markStored(message.clientId, message)
    },
    /** Removes all entries when another user logs in: pending entries stay stored for their owner. */
    clear(): void {
      clearTimeout(timer)
      timer = undefined
      for (const abortController of inFlight.values()) abortController.abort()
      for (const { clientId } of queue) {
        apply({ do: 'drop', clientId })
        end(clientId, null)
      }
      inFlight.clear()
    },
    subscribe(listener: () => void): () => void {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onStored(storedListener: (message: Message) => void): () => void {
      storedListeners.add(storedListener)
      return () => storedListeners.delete(storedListener)
    },
  }
}
export type BrowserOutbox = ReturnType<typeof createBrowserOutbox>
