import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { closeTestServers, type TestServer, testServer } from '../../../test/test-server.ts'
import { makeLog } from '../log.ts'
import { assertNoConnectionPooler, openDatabase } from './database.ts'
import { keepPrepared, keepPreparedMark } from './keep-prepared.ts'

let harness: TestServer
beforeAll(async () => {
  harness = await testServer()
})
afterAll(closeTestServers)

describe('a database connection', () => {
  it('must apply its startup options, or the server does not start', async () => {
    const log = makeLog('silent')
    await assertNoConnectionPooler(harness.databaseUrl, log)
    // This URL drops the startup options of a connection, as a pooler does.
    const url = new URL(harness.databaseUrl.replace('@/', '@localhost/'))
    url.searchParams.set('options', '-c timezone=UTC')
    await expect(assertNoConnectionPooler(url.href, log)).rejects.toThrow(/pooler/)
  })
})

describe('a statement that is kept prepared', () => {
  it('is planned once per connection for all values, also after a rollback; other statements are planned per value', async () => {
    const database = openDatabase(harness.databaseUrl, makeLog('silent'))
    onTestFinished(() => database.close())
    const { id } = await harness.createCompany()
    type Plans = { statement: string; custom_plans: number; generic_plans: number }
    const plans = await database
      .tenant(id)
      .connection()
      .execute(async (db) => {
        // For a negative id the planner sees that no row can match, so its plan for the concrete value is cheaper each
        // time.
        const ask = (value: number) =>
          sql`${keepPrepared}select * from tickets where id = ${value} and id > 0`.execute(db)
        const askPlain = (value: number) => sql`select current_setting('plan_cache_mode') as mode where ${value} = 1`
        for (let n = 0; n < 50; n++) await ask(-n)
        const { rows: mode } = await askPlain(1).execute(db)
        expect(mode).toEqual([{ mode: 'auto' }])
        await sql`begin`.execute(db)
        await ask(1)
        await sql`rollback`.execute(db)
        for (let n = 0; n < 49; n++) await ask(-n)
        return (await sql<Plans>`select statement, custom_plans, generic_plans from pg_prepared_statements`.execute(db))
          .rows
      })
    const own = plans.filter(({ statement }) => statement.startsWith(keepPreparedMark))
    expect(own).toMatchObject([{ custom_plans: 0, generic_plans: 100 }])
  })
})

describe('a company with very many concurrent queries', () => {
  it('delays only itself: queries of another company are served in between', async () => {
    const database = openDatabase(harness.databaseUrl, makeLog('silent'))
    onTestFinished(() => database.close())
    const [busy, calm] = [(await harness.createCompany()).id, (await harness.createCompany()).id]
    const ask = (companyId: number, seconds: number) =>
      sql`select pg_sleep(${seconds})`.execute(database.tenant(companyId))
    let served = 0
    const much = Array.from({ length: 200 }, () => ask(busy, 0.02).then(() => served++))
    await ask(calm, 0)
    // The other company waited only for the running queries and perhaps as many again, not for all earlier queries.
    expect(served).toBeLessThan(100)
    await Promise.all(much)
    expect(served).toBe(200)
    // The other company does not wait for one of the long queries to end either.
    const long = Array.from({ length: 12 }, () => ask(busy, 1).then(() => served++))
    await ask(calm, 0)
    expect(served).toBeLessThan(206)
    await Promise.all(long)
    // A failed query also releases its slot in the pool.
    const wrong = Array.from({ length: 40 }, () => sql`select 1 / 0`.execute(database.tenant(busy)))
    for (const one of await Promise.allSettled(wrong)) expect(one.status).toBe('rejected')
    await ask(calm, 0)
  })
})
