import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { createFixtureCompany, hashTablesWithout } from '../../test/company-archive.ts'
import { openOwnerPool } from '../../test/fixtures.ts'
import { closeTestServers, type TestServer, testServer } from '../../test/test-server.ts'
import { exportCompany } from './export-company.ts'
import { importCompany } from './import-company.ts'

let target: TestServer
let to: pg.Pool
let folder: string
beforeAll(async () => {
  const a = await testServer()
  target = await testServer()
  const from = openOwnerPool(a)
  to = openOwnerPool(target)
  folder = await mkdtemp(join(tmpdir(), 'recado-killed-import-'))
  for (const name of ['Casa Sol', 'Casa Luna']) {
    const { id } = await createFixtureCompany(a, from, name)
    const file = `${name.slice(5).padEnd(32, 'x')}.txt`
    await a.server.deps.files.restore(id, file, Readable.from([Buffer.from(name)]))
    await exportCompany({ owner: from, files: a.server.deps.files }, { companyId: id, to: join(folder, name) })
  }
  await from.end()
})
afterAll(async () => {
  await to?.end()
  await closeTestServers()
  await rm(folder, { recursive: true, force: true })
})

/** Runs the command as typed, in a separate process. */
function run(...args: string[]) {
  const { appSecret, dataDir } = target.config
  const env = { ...process.env, DATABASE_URL: target.databaseUrl, DATA_DIR: dataDir, APP_SECRET: appSecret }
  const program = new URL('../import.ts', import.meta.url).pathname
  const report = ['--report', join(folder, 'report.json')]
  const child = spawn(process.execPath, [program, 'recado', ...args, ...report], { env })
  const said: string[] = []
  for (const out of [child.stdout, child.stderr]) out.on('data', (text) => said.push(String(text)))
  return { child, said, ended: once(child, 'exit') as Promise<[number | null]> }
}
const arriving = () => readdir(join(target.dataDir, 'arriving')).catch(() => [])

it('leaves nothing of a killed import, and the next import removes its files', async () => {
  // The import waits for a lock that the test holds, and is killed there.
  await to.query(`
    create function stand() returns trigger language plpgsql as
      $$ begin perform pg_advisory_xact_lock(78, 0); return new; end $$;
    create trigger stand before insert on messages for each row execute function stand()`)
  const before = await hashTablesWithout(to, 0)
  const holder = await to.connect()
  await holder.query('select pg_advisory_lock(78, 0)')
  const { child, ended, said } = run(join(folder, 'Casa Sol'))
  await vi.waitFor(
    async () => {
      const waits = "select from pg_locks where locktype = 'advisory' and classid = 78 and not granted"
      expect((await to.query(waits)).rowCount, said.join('')).toBe(1)
    },
    { interval: 50, timeout: 120_000 },
  )
  // No other import can run at the same time.
  await expect(
    importCompany({ owner: to, files: target.server.deps.files }, join(folder, 'Casa Luna')),
  ).rejects.toThrow('Another import is running')
  child.kill('SIGKILL')
  await ended
  await holder.query('select pg_advisory_unlock(78, 0)')
  holder.release()
  await to.query('drop function stand cascade')
  await vi.waitFor(async () => expect(await hashTablesWithout(to, 0)).toEqual(before))
  expect(await arriving()).toHaveLength(1)

  const next = run(join(folder, 'Casa Luna'), '--plan', 'Completo', '--due', '2027-03-04')
  expect(await next.ended, next.said.join('')).toEqual([0, null])
  expect(next.said.join('')).toContain('on the plan Completo, paid until 2027-03-04')
  expect(await arriving()).toEqual([])
  const again = run(join(folder, 'Casa Sol'))
  expect(await again.ended, again.said.join('')).toEqual([0, null])
  const { db } = target.wide()
  const companies = await db.selectFrom('companies').select(['id', 'name']).where('name', 'like', 'Casa %').execute()
  expect(companies.map(({ name }) => name).sort()).toEqual(['Casa Luna', 'Casa Sol'])
  const kept: string[] = []
  for await (const { companyId, name } of target.server.deps.files.listAll()) kept.push(`${companyId}/${name}`)
  expect(kept).toHaveLength(2)
  // A refusal prints its reason and in which state the installation is.
  const refused = run(join(folder, 'Casa Sol'), '--limit', 'rows=nonsense')
  expect(await refused.ended).toEqual([2, null])
  const nothing = run(folder)
  expect(await nothing.ended).toEqual([1, null])
  expect(nothing.said.join('')).toMatch(/no whole export[\s\S]*Nothing was written/)
})
