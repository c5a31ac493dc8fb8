import { AsyncLocalStorage } from 'node:async_hooks'
import { BufferJSON, proto, type SignalDataSet, type SignalDataTypeMap, type SignalKeyStore } from 'baileys'
import type { KeyCache } from './key-cache.ts'
import { type KeyRow, type KeyRows, keyName } from './key-rows.ts'

/** The keys that the decryption of one message changed, until they are written together with the message. */
export type KeyChanges = { rows: KeyRow[]; isCollecting: boolean; whenWritten: Promise<void> }

/** Keys of these types contain only text, no bytes, and are read with every message. */
const textOnlyTypes = new Set(['session', 'lid-mapping', 'device-list'])
const toText = (type: string, value: unknown): string =>
  JSON.stringify(value, textOnlyTypes.has(type) ? undefined : BufferJSON.replacer)
function fromText(type: string, text: string): unknown {
  const value = JSON.parse(text, textOnlyTypes.has(type) ? undefined : BufferJSON.reviver)
  return type === 'app-state-sync-key' ? proto.Message.AppStateSyncKeyData.fromObject(value) : value
}

/**
 * The keys of one line for one connection, as the client library needs them. Keys set while a message is received are
 * visible at once and written later, with the message; all other keys are written before `set` returns. An earlier value
 * of a key is never written after a later one.
 */
export function makeSignalKeys(rows: KeyRows, cache: KeyCache, lineId: number) {
  const currentChanges = new AsyncLocalStorage<KeyChanges>()
  const unwrittenKeys = new Map<string, { value: string | null; pendingChanges: Set<KeyChanges> }>()
  const cacheKey = (name: string) => `${lineId}:${name}`
  let closed = false
  // Between two connections the line may have run in another process, and a write may have been committed
  // without a response: cached keys would be stale, and messages encrypted with a stale key cannot be read.
  cache.deleteByPrefix(`${lineId}:`)

  function cachedValue(name: string): string | null | undefined {
    const unwrittenKey = unwrittenKeys.get(name)
    return unwrittenKey ? unwrittenKey.value : cache.get(cacheKey(name))
  }
  /**
   * Caches a key. One-time keys are many and used once, so they are not cached; nor are values read after this
   * connection ended.
   */
  function remember({ type, id, value }: KeyRow): void {
    if (type !== 'pre-key' && !closed) cache.set(cacheKey(keyName({ type, id })), value)
  }

  async function get<T extends keyof SignalDataTypeMap>(
    type: T,
    ids: string[],
  ): Promise<Record<string, SignalDataTypeMap[T]>> {
    const missing = ids.filter((id) => cachedValue(keyName({ type, id })) === undefined)
    const read = missing.length ? await rows.read(type, missing) : []
    const loadedById = new Map(read.map((row) => [row.id, row.value]))
    const found: Record<string, SignalDataTypeMap[T]> = {}
    for (const id of ids) {
      let value = cachedValue(keyName({ type, id }))
      if (value === undefined) {
        value = loadedById.get(id) ?? null
        remember({ type, id, value })
      }
      if (value !== null) found[id] = fromText(type, value) as SignalDataTypeMap[T]
    }
    return found
  }

  async function set(data: SignalDataSet): Promise<void> {
    const keyRows = Object.entries(data).flatMap(([type, byId]) =>
      Object.entries(byId ?? {}).map(([id, value]) => ({
        type,
        id,
        value: value === null || value === undefined ? null : toText(type, value),
      })),
    )
    const changes = currentChanges.getStore()
    if (changes?.isCollecting) return collectChanges(changes, keyRows)
    await Promise.all(
      keyRows.flatMap((row) => [...(unwrittenKeys.get(keyName(row))?.pendingChanges ?? [])].map((c) => c.whenWritten)),
    )
    if (closed) throw new Error(`the connection of line ${lineId} is over`)
    await rows.write(keyRows)
    keyRows.forEach(remember)
  }

  function collectChanges(changes: KeyChanges, keyRows: KeyRow[]): void {
    changes.rows.push(...keyRows)
    for (const row of keyRows) {
      const pendingChanges = unwrittenKeys.get(keyName(row))?.pendingChanges ?? new Set()
      unwrittenKeys.set(keyName(row), { value: row.value, pendingChanges: pendingChanges.add(changes) })
    }
  }

  /** Marks changes as written to the database: keys that did not change since are treated like any other key. */
  function markWritten(changes: KeyChanges): void {
    for (const row of changes.rows) {
      const unwrittenKey = unwrittenKeys.get(keyName(row))
      if (!unwrittenKey?.pendingChanges.delete(changes) || unwrittenKey.pendingChanges.size) continue
      unwrittenKeys.delete(keyName(row))
      remember({ ...row, value: unwrittenKey.value })
    }
  }

  const store: SignalKeyStore = { get, set }
  return {
    store,
    /**
     * The library sends a message inside the transaction that encrypts it, so its keys would be written only after it was
     * sent: an answer that comes before that could not be decrypted. So sessions are written at once, and used one after
     * another (session-turns.ts).
     */
    direct: { get, set, isInTransaction: () => false, transaction: <T>(work: () => Promise<T>) => work() },
    /** Runs one decryption and collects its changed keys in `changes.rows`, which the caller writes. */
    receive: <T>(changes: KeyChanges, work: () => Promise<T>): Promise<T> => currentChanges.run(changes, work),
    markWritten: markWritten,
    close: () => {
      closed = true
    },
  }
}
export type SignalKeys = ReturnType<typeof makeSignalKeys>
