import { contactsApi } from '@recado/contract/contacts'
import { sql } from 'kysely'
import { afterAll, it } from 'vitest'
import { closeHouses, house } from '../../../test/house.ts'

afterAll(closeHouses)
it('perf', { timeout: 600_000 }, async () => {
  const h = await house()
  const a = await h.company()
  const b = await h.company()
  for (const c of [a, b])
    await sql`insert into contacts ("companyId", name, number) select ${c.id}, (array['Lucía','Ana','José','Muñoz','Pedro','Carla'])[1 + n % 6] || ' ' || md5(n::text), (5491100000000 + n)::text from generate_series(1, 100000) n`.execute(
      h.wide().db,
    )
  await sql`analyze contacts`.execute(h.wide().db).catch(() => {})
  const time = async (name: string, query: object) => {
    const times: number[] = []
    let r: { count: number; contacts: unknown[]; hasMore: boolean } | undefined
    for (let i = 0; i < 8; i++) {
      const t = performance.now()
      r = await a.admin.call(contactsApi.list, { query })
      times.push(performance.now() - t)
    }
    console.log(
      name.padEnd(20),
      'median',
      times.sort((x, y) => x - y)[4]?.toFixed(1),
      'max',
      times[7]?.toFixed(1),
      r?.count,
      r?.contacts.length,
      r?.hasMore,
    )
  }
  await time('plain', {})
  await time('page 1000', { pageNumber: 1000 })
  await time('rare', { searchParam: 'c4ca4238' })
  await time('common', { searchParam: 'lucia' })
  await time('common p50', { searchParam: 'lucia', pageNumber: 50 })
  await time('none', { searchParam: 'zzzzzz' })
  await time('two letters', { searchParam: 'lu' })
  await time('two rare', { searchParam: 'zq' })
  await time('number', { searchParam: '5491100012345' })
  await time('number common', { searchParam: '54911' })
  await time('today', { date: new Date().toISOString().slice(0, 10) })
})
