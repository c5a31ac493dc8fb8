import { afterAll, expect, it, vi } from 'vitest'
import { openOwnerPool } from '../../../test/fixtures.ts'
import { closeTestServers, testServer } from '../../../test/test-server.ts'

afterAll(closeTestServers)

it('analyzes a table that has quickly grown', async () => {
  const h = await testServer()
  const { id } = await h.createCompany()
  const owner = openOwnerPool(h)
  const known = async () => {
    const { rows } = await owner.query(`select reltuples::int as n from pg_class where oid = 'contacts'::regclass`)
    return rows[0].n
  }
  try {
    await owner.query(
      `insert into contacts ("companyId", name, number) select $1, 'Contact ' || n, n::text from generate_series(1, 3000) n`,
      [id],
    )
    expect(await known()).toBeLessThan(1000)
    await vi.waitFor(async () => expect(await known()).toBeGreaterThanOrEqual(3000), 30_000)
  } finally {
    await owner.end()
  }
})
