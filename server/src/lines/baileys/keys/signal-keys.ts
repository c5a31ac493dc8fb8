import { AsyncLocalStorage } from 'node:async_hooks'
import { BufferJSON, proto, type SignalDataSet, type SignalDataTypeMap, type SignalKeyStore } from 'baileys'
import type { KeyCache } from './key-cache.ts'
import { type KeyRow, type KeyRows, keyName } from './key-rows.ts'

/** One message being received: the keys that its decryption changed, until they are written with it. */
export type KeyChanges = { rows: KeyRow[]; isCollecting: boolean; whenWritten: Promise<void> }

/** These contain only text, no bytes, and are read with every message. */
const textOnlyTypes = new Set(['session', 'lid-mapping', 'device-list'])
const toText = (type: string, value: unknown): string =>
  JSON.stringify(value, textOnlyTypes.has(type) ? undefined : BufferJSON.replacer)
function fromText(type: string, text: string): unknown {
  const value = JSON.parse(text, textOnlyTypes.has(type) ? undefined : BufferJSON.reviver)
  return type === 'app-state-sync-key' ? proto.Message.AppStateSyncKeyData.fromObject(value) : value
}

/**
 * The keys of one line for one connection, as the client library needs them. Keys set while a message is received
 * are visible at once and written later, with the message; all others are written before `set` returns, and never
 * before an earlier value of the same key.
 */
export function makeSignalKeys(rows: KeyRows, cache: KeyCache, lineId: number) {
  const receiving = new AsyncLocalStorage<KeyChanges>()
  const unwritten = new Map<string, { value: string | null; pendingChanges: Set<KeyChanges> }>()
  const cached = (name: string) => `${lineId}:${name}`
  let closed = false
  // Between two connections the line may have run in another process, and a write may have been committed
  // without a response: cached keys would be stale, and messages encrypted with a stale key cannot be read.
  cache.deleteByPrefix(`${lineId}:`)

  function known(name: string): string | null | undefined {
    const waiting = unwritten.get(name)
    return waiting ? waiting.value : cache.get(cached(name))
  }
  /** One-time keys are many and used once. Values that arrive after the end of this connection are not cached. */
  function remember({ type, id, value }: KeyRow): void {
    if (type !== 'pre-key' && !closed) cache.set(cached(keyName({ type, id })), value)
  }

  async function get<T extends keyof SignalDataTypeMap>(
    type: T,
    ids: string[],
  ): Promise<Record<string, SignalDataTypeMap[T]>> {
    const missing = ids.filter((id) => known(keyName({ type, id })) === undefined)
    const read = missing.length ? await rows.read(type, missing) : []
    const fresh = new Map(read.map((row) => [row.id, row.value]))
    const found: Record<string, SignalDataTypeMap[T]> = {}
    for (const id of ids) {
      let value = known(keyName({ type, id }))
      if (value === undefined) {
        value = fresh.get(id) ?? null
        remember({ type, id, value })
      }
      if (value !== null) found[id] = fromText(type, value) as SignalDataTypeMap[T]
    }
    return found
  }

  async function set(data: SignalDataSet): Promise<void> {
    const given = Object.entries(data).flatMap(([type, byId]) =>
      Object.entries(byId ?? {}).map(([id, value]) => ({
        type,
        id,
        value: value === null || value === undefined ? null : toText(type, value),
      })),
    )
    const changes = receiving.getStore()
    if (changes?.isCollecting) return hold(changes, given)
    await Promise.all(
      given.flatMap((row) => [...(unwritten.get(keyName(row))?.pendingChanges ?? [])].map((c) => c.whenWritten)),
    )
    if (closed) throw new Error(`the connection of line ${lineId} is over`)
    await rows.write(given)
    given.forEach(remember)
  }

  function hold(changes: KeyChanges, given: KeyRow[]): void {
    changes.rows.push(...given)
    for (const row of given) {
      const by = unwritten.get(keyName(row))?.pendingChanges ?? new Set()
      unwritten.set(keyName(row), { value: row.value, pendingChanges: by.add(changes) })
    }
  }

  /** They are in the database: those not changed since are treated like any other key. */
  function settle(changes: KeyChanges): void {
    for (const row of changes.rows) {
      const waiting = unwritten.get(keyName(row))
      if (!waiting?.pendingChanges.delete(changes) || waiting.pendingChanges.size) continue
      unwritten.delete(keyName(row))
      remember({ ...row, value: waiting.value })
    }
  }

  const store: SignalKeyStore = { get, set }
  return {
    store,
    /**
     * The library sends a message inside the transaction that encrypts it, so its keys would be written after it was
     * sent: an answer that comes meanwhile could not be decrypted. Sessions are written at once, and used one after
     * another (turns.ts).
     */
    direct: { get, set, isInTransaction: () => false, transaction: <T>(work: () => Promise<T>) => work() },
    /** Runs one decryption; its changes are in `changes.rows`, and the caller writes them. */
    receive: <T>(changes: KeyChanges, work: () => Promise<T>): Promise<T> => receiving.run(changes, work),
    markWritten: settle,
    close: () => {
      closed = true
    },
  }
}
export type SignalKeys = ReturnType<typeof makeSignalKeys>
