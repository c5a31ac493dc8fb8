import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { databaseNamed } from '../../../test/global-setup.ts'
import { openPool } from '../../kernel/data/database.ts'
import { makeLog } from '../../kernel/log.ts'

/** A process that runs one line and its clock, and is killed without warning; the database lives on. */
const log = makeLog('silent')
const name = `killed_${randomUUID().replaceAll('-', '')}`
const url = databaseNamed(inject('databaseUrl'), name)
const within = { timeout: 60_000, interval: 20 }
let server: pg.Pool
let db: pg.Pool
let victim: ChildProcess | null = null

/** Where it stands still, so that it dies there: whoever comes past waits for a lock that we hold. */
const places = [
  ['in the middle of its transaction', 'insert on "ticketEvents" for each row'],
  ['when it has left and nobody knows', "update on messages for each row when (new.state = 'sent')"],
  ['when its row is told', "update on schedules for each row when (new.status = 'ENVIADA')"],
] as const

async function live(): Promise<void> {
  victim = fork(new URL('../../../test/victim.ts', import.meta.url), {
    execArgv: [],
    env: { ...process.env, VICTIM_DATABASE: url, VICTIM_DATA: tmpdir() },
  })
  await once(victim, 'message')
}
async function die(): Promise<void> {
  if (!victim) return
  const dead = once(victim, 'exit')
  victim.kill('SIGKILL')
  await dead
  victim = null
  // Nobody is left to renew it: the next life need not wait until it runs out.
  await db.query(`update "lineLeases" set until = now() - interval '1 second'`)
}
const look = () => victim?.send('look')

beforeAll(async () => {
  server = openPool(databaseNamed(inject('databaseUrl'), 'postgres'), log, { max: 1 })
  await server.query(`create database ${name} template recado_template`)
  db = openPool(url, log, { max: 4 })
  for (const [n, [, where]] of places.entries())
    await db.query(`
      create function stand_${n}() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock(${n}); return new; end $$;
      create trigger stand_${n} before ${where} execute function stand_${n}()`)
})
afterAll(async () => {
  await die()
  await db.end()
  await server.query(`drop database ${name} with (force)`)
  await server.end()
})

it('goes out exactly once over a death at every step, and so do all that were due with it', async () => {
  const { rows } = await db.query(`
    with c as (insert into companies (name, "planId") values ('Killed', 2) returning id),
    w as (insert into whatsapps ("companyId", name, provider, wanted, status)
      select id, 'line', 'sandbox', true, 'OPENING' from c returning id, "companyId"),
    p as (insert into "sandboxPhones" ("companyId", "whatsappId", linked) select "companyId", id, true from w),
    k as (insert into contacts ("companyId", name, number)
      select id, 'Persona ' || n, '55119870000' || (10 + n) from c, generate_series(1, 8) n returning id, number, "companyId"),
    i as (insert into "contactIdentities" ("companyId", kind, value, "contactId") select "companyId", 'phone', number, id from k)
    insert into schedules ("companyId", "contactId", "whatsappId", body, "sendAt", repeat, first, slot)
    select w."companyId", k.id, w.id, 'una vez ' || k.number, now(), '{"unit":"day","every":1,"days":[],"by":"day","until":null,"times":2,"skipOff":false}',
      to_char(now(), 'YYYY-MM-DD"T"HH24:MI'), to_char(now(), 'YYYY-MM-DD"T"HH24:MI') from k, w returning id`)
  expect(rows).toHaveLength(8)
  const died: string[] = []
  for (const [n, [what]] of places.entries()) {
    const holder = await db.connect()
    await holder.query('select pg_advisory_lock($1)', [n])
    await live()
    await vi.waitFor(async () => {
      look()
      const { rows: waiting } = await db.query(
        `select 1 from pg_locks where locktype = 'advisory' and objid = $1 and not granted`,
        [n],
      )
      expect(waiting, what).not.toEqual([])
    }, within)
    await die()
    died.push(what)
    await holder.query('select pg_advisory_unlock($1)', [n])
    holder.release()
  }
  expect(died).toHaveLength(places.length)
  await live()
  const shown = async () =>
    (await db.query(`select body from "sandboxMessages" where not "fromCustomer" and kind = 'text' order by body`)).rows
  await vi.waitFor(async () => {
    look()
    const { rows: states } = await db.query('select nth, status, count(*)::int from schedules group by 1, 2 order by 1')
    expect(states).toEqual([
      { nth: 1, status: 'ENVIADA', count: 8 },
      { nth: 2, status: 'PENDENTE', count: 8 },
    ])
  }, within)
  expect(await shown()).toEqual(Array.from({ length: 8 }, (_, n) => ({ body: `una vez 55119870000${11 + n}` })))
  const { rows: counts } = await db.query(
    'select (select count(*)::int from messages) as messages, (select count(*)::int from tickets) as tickets',
  )
  expect(counts).toEqual([{ messages: 8, tickets: 8 }])
}, 120_000)
