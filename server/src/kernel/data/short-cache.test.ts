import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { makeShortCache } from './short-cache.ts'

it('loads once for many callers, again after an invalidation, and never caches a failure', async () => {
  let asked = 0
  const answers = makeShortCache(async (key: string) => {
    asked++
    if (asked === 2) throw new Error('out of order')
    return `${key} ${asked}`
  })
  expect(await Promise.all([answers.get('a'), answers.get('a')])).toEqual(['a 1', 'a 1'])
  answers.clear()
  await expect(answers.get('a')).rejects.toThrow('out of order')
  expect(await answers.get('a')).toBe('a 3')
})

it('does not cache a result that was requested before an invalidation and received after it', async () => {
  const waiting: ((value: string) => void)[] = []
  const answers = makeShortCache(() => new Promise<string>((resolve) => void waiting.push(resolve)))
  const before = answers.get('a')
  answers.clear()
  const after = answers.get('a')
  waiting[0]?.('old')
  waiting[1]?.('new')
  expect([await before, await after, await answers.get('a')]).toEqual(['old', 'new', 'new'])
})

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

it('is invalidated by a write once other transactions can see it, and not by a write that is rolled back', async () => {
  const { database } = harness.server.deps
  const company = await harness.createCompany()
  let told = 0
  database.watch({ pattern: /update "companies"/, onWrite: () => told++ })
  const rename = (db: typeof database.platform) =>
    db.updateTable('companies').set({ phone: '1' }).where('id', '=', company.id).execute()
  await rename(database.platform)
  expect(told).toBe(1)
  await database.platform.transaction().execute(async (trx) => {
    await rename(trx)
    await trx.selectFrom('companies').select('id').execute()
    expect(told).toBe(1)
  })
  expect(told).toBe(2)
  await database.platform.selectFrom('companies').select('id').execute()
  expect(told).toBe(2)
})
