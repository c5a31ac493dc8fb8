import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { makeShortCache } from './short-cache.ts'

it('asks once for many, again after it was told to forget, and never keeps a failure', async () => {
  let asked = 0
  const answers = makeShortCache(async (key: string) => {
    asked++
    if (asked === 2) throw new Error('out of order')
    return `${key} ${asked}`
  })
  expect(await Promise.all([answers.of('a'), answers.of('a')])).toEqual(['a 1', 'a 1'])
  answers.forget()
  await expect(answers.of('a')).rejects.toThrow('out of order')
  expect(await answers.of('a')).toBe('a 3')
})

it('does not keep what was asked before somebody said forget, and answered after', async () => {
  const waiting: ((value: string) => void)[] = []
  const answers = makeShortCache(() => new Promise<string>((resolve) => void waiting.push(resolve)))
  const before = answers.of('a')
  answers.forget()
  const after = answers.of('a')
  waiting[0]?.('old')
  waiting[1]?.('new')
  expect([await before, await after, await answers.of('a')]).toEqual(['old', 'new', 'new'])
})

let h: TestServer
beforeAll(async () => {
  h = await testServer()
})
afterAll(closeTestServers)

it('hears of a write once others can see it, and of nothing that was taken back before', async () => {
  const { database } = h.running.means
  const company = await h.company()
  let told = 0
  database.watch({ writes: /update "companies"/, written: () => told++ })
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
