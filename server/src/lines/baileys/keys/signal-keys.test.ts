import { describe, expect, it } from 'vitest'
import { makeKeyCache } from './key-cache.ts'
import { type KeyRow, type KeyRows, keyName } from './key-rows.ts'
import { makeSignalKeys } from './signal-keys.ts'

/** The rows in the database, written by any process. */
function table() {
  const kept = new Map<string, string>()
  let reading: Promise<unknown> = Promise.resolve()
  const rows: Pick<KeyRows, 'read' | 'write'> = {
    async read(type, ids) {
      const found = ids.flatMap((id): KeyRow[] => {
        const value = kept.get(keyName({ type, id }))
        return value === undefined ? [] : [{ type, id, value }]
      })
      await reading
      return found
    },
    async write(given) {
      for (const row of given)
        if (row.value === null) kept.delete(keyName(row))
        else kept.set(keyName(row), row.value)
    },
  }
  return {
    rows: rows as KeyRows,
    /** Writes a session, as another process that runs the line would. */
    write: (id: string, value: string) => kept.set(`session/${id}`, JSON.stringify(value)),
    /** Delays reads from now on until this resolves. */
    slow: (until: Promise<unknown>) => {
      reading = until
    },
  }
}
const session = async (keys: ReturnType<typeof makeSignalKeys>, id: string) =>
  (await keys.store.get('session', [id]))[id]

describe('the keys of a linked line', () => {
  it('are read again from the database after the line ran in another process', async () => {
    const cache = makeKeyCache()
    const { rows, write } = table()
    write('alice.0', 'first')
    const here = makeSignalKeys(rows, cache, 7)
    expect(await session(here, 'alice.0')).toBe('first')
    here.close()
    write('alice.0', 'went on elsewhere')
    const back = makeSignalKeys(rows, cache, 7)
    expect(await session(back, 'alice.0')).toBe('went on elsewhere')
  })

  it('are not cached from a read that ended after its connection did', async () => {
    const cache = makeKeyCache()
    const { rows, write, slow } = table()
    write('alice.0', 'first')
    const { promise: later, resolve: answer } = Promise.withResolvers<void>()
    slow(later)
    const before = makeSignalKeys(rows, cache, 7)
    const late = session(before, 'alice.0')
    before.close()
    const next = makeSignalKeys(rows, cache, 7)
    write('alice.0', 'went on')
    answer()
    await late
    expect(await session(next, 'alice.0')).toBe('went on')
  })

  it('stay in memory for other lines when one line reconnects', async () => {
    const cache = makeKeyCache()
    const { rows, write } = table()
    write('alice.0', 'first')
    await session(makeSignalKeys(rows, cache, 71), 'alice.0')
    const size = cache.size
    makeSignalKeys(rows, cache, 7)
    expect(cache.size).toBe(size)
  })
})
