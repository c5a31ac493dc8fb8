import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import type pg from 'pg'
import { afterAll, beforeAll, expect, inject, vi } from 'vitest'
import { openPool } from '../src/kernel/data/database.ts'
import { makeLog } from '../src/kernel/log.ts'
import { withDatabaseName } from './global-setup.ts'

const log = makeLog('silent')
const pollOptions = { interval: 20 }

/**
 * A process that runs one line and the timers, and is killed without warning; the database survives. `places`: triggers
 * where the process blocks on a lock that the test holds, so that it is killed exactly there.
 */
export function killProcessAt(places: readonly (readonly [what: string, trigger: string])[]) {
  const name = `killed_${randomUUID().replaceAll('-', '')}`
  const url = withDatabaseName(inject('databaseUrl'), name)
  let server: pg.Pool
  let db: pg.Pool
  let childServer: ChildProcess | null = null

  async function start(): Promise<void> {
    childServer = fork(new URL('./child-server.ts', import.meta.url), {
      execArgv: [],
      env: { ...process.env, VICTIM_DATABASE: url, VICTIM_DATA: tmpdir() },
    })
    await once(childServer, 'message')
  }
  async function kill(): Promise<void> {
    if (!childServer) return
    const dead = once(childServer, 'exit')
    childServer.kill('SIGKILL')
    await dead
    childServer = null
    // The killed process does not renew its lease: expire it, so that the next process need not wait.
    await db.query(`update "lineLeases" set until = now() - interval '1 second'`)
  }

  beforeAll(async () => {
    server = openPool(withDatabaseName(inject('databaseUrl'), 'postgres'), log, { max: 1 })
    await server.query(`create database ${name} template recado_template strategy file_copy`)
    db = openPool(url, log, { max: 4 })
    for (const [n, [, trigger]] of places.entries())
      await db.query(`
        create function stand_${n}() returns trigger language plpgsql as
          $$ begin perform pg_advisory_xact_lock(${n}); return new; end $$;
        create trigger stand_${n} before ${trigger} execute function stand_${n}()`)
  })
  afterAll(async () => {
    await kill()
    await db.end()
    await server.query(`drop database ${name} with (force)`)
    await server.end()
  })

  return {
    query: async <R>(text: string): Promise<R[]> => (await db.query(text)).rows,
    /** Starts and kills the process at each of the places, then starts it again. */
    async dieAtEach(): Promise<void> {
      for (const [n, [what]] of places.entries()) {
        const holder = await db.connect()
        await holder.query('select pg_advisory_lock($1)', [n])
        await start()
        const standing = vi.waitFor(async () => {
          childServer?.send('look')
          const { rows } = await db.query(
            `select 1 from pg_locks where locktype = 'advisory' and objid = $1 and not granted`,
            [n],
          )
          expect(rows, what).not.toEqual([])
        }, pollOptions)
        await standing.finally(async () => {
          await kill()
          await holder.query('select pg_advisory_unlock($1)', [n])
          holder.release()
        })
      }
      await start()
    },
    /** Moves the clock of the process until this condition holds. */
    until: (holds: () => Promise<void>) =>
      vi.waitFor(async () => {
        childServer?.send('look')
        await holds()
      }, pollOptions),
    /** Our messages on the customers' phones. */
    shown: async (): Promise<string[]> =>
      (
        await db.query(`select body from "sandboxMessages" where not "fromCustomer" and kind = 'text' order by body`)
      ).rows.map((row) => row.body),
  }
}

/** A company with a linked sandbox phone, as CTEs for the rest of the query: `c`, `w`. */
export const companyAndLineSql = `
  c as (insert into companies (name, "planId") values ('Killed', 2) returning id),
  w as (insert into whatsapps ("companyId", name, provider, wanted, status)
    select id, 'line', 'sandbox', true, 'OPENING' from c returning id, "companyId"),
  p as (insert into "sandboxPhones" ("companyId", "whatsappId", linked) select "companyId", id, true from w)`
