import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { makeLog } from '../log.ts'
import { assertNoConnectionPooler, openDatabase } from './database.ts'

let h: TestServer
beforeAll(async () => {
  h = await testServer()
})
afterAll(closeTestServers)

describe('a database connection', () => {
  it('has the settings it was given, or the server does not start', async () => {
    const log = makeLog('silent')
    await assertNoConnectionPooler(h.databaseUrl, log)
    // As behind a pooler, which drops the startup options of a connection.
    const url = new URL(h.databaseUrl.replace('@/', '@localhost/'))
    url.searchParams.set('options', '-c timezone=UTC')
    await expect(assertNoConnectionPooler(url.href, log)).rejects.toThrow(/pooler/)
  })
})

describe('a company with very many queries at once', () => {
  it('waits for itself: another company is served in between', async () => {
    const database = openDatabase(h.databaseUrl, makeLog('silent'))
    onTestFinished(() => database.close())
    const [busy, calm] = [(await h.createCompany()).id, (await h.createCompany()).id]
    const ask = (companyId: number, seconds: number) =>
      sql`select pg_sleep(${seconds})`.execute(database.tenant(companyId))
    let served = 0
    const much = Array.from({ length: 200 }, () => ask(busy, 0.02).then(() => served++))
    await ask(calm, 0)
    // Only those that were running, and perhaps as many again: not all earlier ones.
    expect(served).toBeLessThan(100)
    await Promise.all(much)
    expect(served).toBe(200)
    // Nor does it wait for one of those to end.
    const long = Array.from({ length: 12 }, () => ask(busy, 1).then(() => served++))
    await ask(calm, 0)
    expect(served).toBeLessThan(206)
    await Promise.all(long)
    // A failed query also releases its slot.
    const wrong = Array.from({ length: 40 }, () => sql`select 1 / 0`.execute(database.tenant(busy)))
    for (const one of await Promise.allSettled(wrong)) expect(one.status).toBe('rejected')
    await ask(calm, 0)
  })
})
