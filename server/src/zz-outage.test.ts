import { afterAll, expect, it, vi } from 'vitest'
import { closeHouses, house } from '../test/house.ts'
import { makeLog } from './kernel/log.ts'
afterAll(closeHouses)
it('long outage', async () => {
  const lines: string[] = []
  const h = await house({}, makeLog('debug', { write: (l: string) => void lines.push(l) }))
  const { admin } = await h.company()
  const name = /\/([^/?]+)(\?|$)/.exec(h.databaseUrl)?.[1]
  await h.owner.query(`alter database ${name} allow_connections false`)
  await h.owner.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  await new Promise((r) => setTimeout(r, 75_000))
  await h.owner.query(`alter database ${name} allow_connections true`)
  await vi.waitFor(async () => expect((await h.anyone.ask('GET', '/readyz')).status).toBe(200))
  const { db } = h.wide()
  await db.updateTable('users').set({ online: true, lastSeenAt: new Date(0) }).where('id', '=', admin.id).execute()
  await h.wide().job('presence:sweep', {})
  const online = () => db.selectFrom('users').select('online').where('id', '=', admin.id).executeTakeFirstOrThrow()
  try {
    await vi.waitFor(async () => expect(await online()).toEqual({ online: false }), { timeout: 60_000 })
  } finally {
    console.log(lines.filter((l) => /job queue|unexpected/.test(l)).slice(-30).join('').slice(0, 9000))
  }
}, 180_000)
