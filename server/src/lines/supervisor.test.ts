import { type ChildProcess, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { LineProvider } from '@recado/contract/connections'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { withDatabaseName } from '../../test/global-setup.ts'
import { type Database, openDatabase, openPool } from '../kernel/data/database.ts'
import type { Deps } from '../kernel/data/scope.ts'
import { openSignals, type Signals } from '../kernel/live/signals.ts'
import { makeLog } from '../kernel/log.ts'
import { makeLeases } from './leases.ts'
import type { Line, LineListener, LineRow, LineState } from './line.ts'
import { makeSupervisor, type Supervisor, type SupervisorTimings } from './supervisor.ts'

/** Runs supervisors without the rest of the server, on a database, with dummy lines. */
const log = makeLog('silent')
let server: pg.Pool
let owner: pg.Pool
let url: string
let companyId: number
let cleanups: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  server = openPool(withDatabaseName(inject('databaseUrl'), 'postgres'), log, { max: 1 })
})
afterAll(() => server.end())
beforeEach(async () => {
  const name = `t_${randomUUID().replaceAll('-', '')}`
  await server.query(`create database ${name} template recado_template strategy file_copy`)
  url = withDatabaseName(inject('databaseUrl'), name)
  owner = openPool(url, log, { max: 2 })
  companyId = (await owner.query("insert into companies (name) values ('Leased') returning id")).rows[0].id
  cleanups = [() => owner.end(), () => server.query(`drop database ${name} with (force)`)]
})
afterEach(async () => {
  for (const plug of cleanups) await plug()
})

async function createWantedLine(provider: LineProvider = 'sandbox'): Promise<number> {
  const { rows } = await owner.query(
    'insert into whatsapps ("companyId", name, provider, wanted) values ($1, $2, $3, true) returning id',
    [companyId, randomUUID(), provider],
  )
  await owner.query("select pg_notify('recado', 'lines')")
  return rows[0].id
}
const change = async (id: number, set: string) => {
  await owner.query(`update whatsapps set ${set} where id = $1`, [id])
  await owner.query("select pg_notify('recado', 'lines')")
}
const lease = async (id: number) =>
  (await owner.query('select holder, fence, until > now() as held from "lineLeases" where "whatsappId" = $1', [id]))
    .rows[0]

/** The actions of the lines of all supervisors, in order. */
type LineAction = { holder: string; id: number; action: 'start' | 'stop'; row: LineRow }
type Desk = {
  supervisor: Supervisor
  database: Database
  signals: Signals
  states: (LineState & { id: number })[]
  listeners: Map<number, LineListener>
  die(): Promise<void>
}
let acts: LineAction[]
beforeEach(() => {
  acts = []
})

async function desk(
  who: string,
  pace: Partial<SupervisorTimings> = {},
  fails: () => boolean = () => false,
): Promise<Desk> {
  const database = openDatabase(url, log)
  const signals = await openSignals(url, log)
  const states: Desk['states'] = []
  const listeners = new Map<number, LineListener>()
  const make = (row: LineRow, given: LineListener): Line => {
    const say = (act: LineAction['action']) => void acts.push({ holder: who, id: row.id, action: act, row })
    listeners.set(row.id, given)
    const silent = { start: async () => {}, stop: async () => say('stop') }
    return {
      ...silent,
      async start() {
        if (fails()) throw new Error('no')
        say('start')
        await given.reportState({ status: 'CONNECTED' })
      },
    } as unknown as Line
  }
  const supervisor = makeSupervisor({
    deps: { database } as Deps,
    log,
    signals,
    makers: { sandbox: make, beta: undefined, cloud: undefined },
    outlets: {
      receive: async () => {},
      reportState: async (row, state) => void states.push({ ...state, id: row.id }),
      reportTyping: () => {},
      reportReachOutLock: async () => {},
      reportUnreadable: async () => {},
    },
    pace: { leaseMs: 600_000, heartbeatMs: 200, pollMs: 100, retryMs: 10, ...pace },
  })
  let dead = false
  /** Cuts a supervisor off from the database, so that it cannot send signals, as if its process had died. */
  const die = async () => {
    dead = true
    await Promise.all([signals.close(), database.close()])
  }
  cleanups.unshift(async () => {
    if (dead) return supervisor.close().catch(() => {})
    await supervisor.close()
    await die()
  })
  await supervisor.start()
  return { supervisor, database, signals, states, listeners: listeners, die }
}
const doing = (id: number) => acts.filter((a) => a.id === id).map((a) => `${a.holder} ${a.action}`)

describe('a line that should run', () => {
  it('runs, stops when it should no longer run, and restarts when its `wantedRound` changes', async () => {
    const a = await desk('a')
    const id = await createWantedLine()
    await vi.waitFor(() => expect(a.supervisor.connectedLine(id)).toBeDefined())
    expect(await lease(id)).toEqual({ holder: a.supervisor.holder, fence: 1, held: true })
    await change(id, '"wantedRound" = 1')
    await vi.waitFor(() => expect(doing(id)).toEqual(['a start', 'a stop', 'a start']))
    expect(acts.at(-1)?.row).toEqual({ id, companyId, provider: 'sandbox', wantedRound: 1, fence: 1 })
    await change(id, 'wanted = false')
    await vi.waitFor(async () => expect((await lease(id)).held).toBe(false))
    expect(doing(id)).toEqual(['a start', 'a stop', 'a start', 'a stop'])
    expect(a.supervisor.connectedLine(id)).toBeUndefined()
    await change(id, 'wanted = true')
    await vi.waitFor(() => expect(a.supervisor.connectedLine(id)).toBeDefined())
    await owner.query('delete from whatsapps where id = $1', [id])
    await vi.waitFor(() => expect(a.supervisor.connectedLine(id)).toBeUndefined())
  })

  it('stays released if a renewal of its lease comes late', async () => {
    const a = await desk('a')
    const id = await createWantedLine()
    await vi.waitFor(() => expect(a.supervisor.connectedLine(id)).toBeDefined())
    await change(id, 'wanted = false')
    await vi.waitFor(async () => expect((await lease(id)).held).toBe(false))
    const leases = makeLeases(a.database.platform, a.supervisor.holder, 600_000)
    expect([...(await leases.renew([id], [1]))]).toEqual([])
    expect((await lease(id)).held).toBe(false)
  })

  it('is found at the start, and by polling when there is no signal', async () => {
    const early = await createWantedLine()
    const a = await desk('a')
    expect(doing(early)).toEqual(['a start'])
    await a.signals.close()
    const late = await createWantedLine()
    await vi.waitFor(() => expect(doing(late)).toEqual(['a start']))
  })

  it('reports that its provider does not exist', async () => {
    const a = await desk('a')
    const id = await createWantedLine('beta')
    await vi.waitFor(() => expect(a.states).toEqual([{ id, status: 'DISCONNECTED', reason: 'provider-missing' }]))
  })

  it('is retried after growing pauses if it does not start, and reports each failure', async () => {
    let left = 3
    const a = await desk('a', {}, () => left-- > 0)
    const id = await createWantedLine()
    await vi.waitFor(() => expect(doing(id)).toEqual(['a stop', 'a stop', 'a stop', 'a start']))
    expect(a.states.map((s) => s.retries ?? s.status)).toEqual([1, 2, 3, 'CONNECTED'])
    expect(a.states[0]).toEqual({ id, status: 'DISCONNECTED', reason: 'start-failed', retries: 1 })
  })

  it('reports when it connects and disconnects, and waits for the listeners before it stops', async () => {
    const a = await desk('a')
    const told: string[] = []
    a.supervisor.onConnected((row, line) => void told.push(`up ${a.supervisor.connectedLine(row.id) === line}`))
    a.supervisor.onDisconnected(async (row) => {
      await Promise.resolve()
      told.push(`down ${doing(row.id).length}`)
    })
    const id = await createWantedLine()
    await vi.waitFor(() => expect(told).toEqual(['up true']))
    await a.listeners.get(id)?.reportState({ status: 'DISCONNECTED', reason: 'network' })
    expect(a.supervisor.connectedLine(id)).toBeUndefined()
    await a.listeners.get(id)?.reportState({ status: 'CONNECTED' })
    await change(id, 'wanted = false')
    await vi.waitFor(() => expect(doing(id)).toEqual(['a start', 'a stop']))
    expect(told).toEqual(['up true', 'down 1', 'up true', 'down 1'])
    // Calls from a released line have no effect any more.
    await expect(a.listeners.get(id)?.receive([])).rejects.toThrow()
    await a.listeners.get(id)?.reportState({ status: 'CONNECTED' })
    expect(told).toHaveLength(4)
  })
})

describe('a line that hangs while it is released', () => {
  it('is aborted after a while, and does not block other lines', async () => {
    const a = await desk('a', { leaseMs: 1500, heartbeatMs: 100 })
    const hanging = await createWantedLine()
    await vi.waitFor(() => expect(a.supervisor.connectedLine(hanging)).toBeDefined())
    // This line's sending ends only when the line is stopped.
    a.supervisor.onDisconnected(({ id }) => vi.waitFor(() => expect(doing(id)).toContain('a stop'), { timeout: 5000 }))
    await owner.query('delete from whatsapps where id = $1', [hanging])
    const other = await createWantedLine()
    await vi.waitFor(() => expect(a.supervisor.connectedLine(other)).toBeDefined())
    await vi.waitFor(() => expect(doing(hanging).at(-1)).toBe('a stop'))
  })

  it('restarts only when the earlier run has ended: two at once would corrupt each other’s keys', async () => {
    // No heartbeat comes in time: the lease expires, although no other process takes the line.
    const a = await desk('a', { leaseMs: 1500, heartbeatMs: 600_000 })
    a.supervisor.onDisconnected(({ id }) => vi.waitFor(() => expect(doing(id)).toContain('a stop'), { timeout: 5000 }))
    const id = await createWantedLine()
    await vi.waitFor(() => expect(doing(id).slice(0, 3)).toEqual(['a start', 'a stop', 'a start']), { timeout: 5000 })
  })

  it('stops and restarts even if callbacks fail', async () => {
    const a = await desk('a')
    const id = await createWantedLine()
    await vi.waitFor(() => expect(a.supervisor.connectedLine(id)).toBeDefined())
    a.supervisor.onDisconnected(() => Promise.reject(new Error('the outbox could not end')))
    await change(id, '"wantedRound" = 1')
    await vi.waitFor(() => expect(doing(id)).toEqual(['a start', 'a stop', 'a start']), { timeout: 5000 })
  })
})

describe('a database outage', () => {
  const name = () => /\/([^/?]+)(\?|$)/.exec(url)?.[1]
  const shut = (open: boolean) => server.query(`alter database ${name()} allow_connections ${open}`)
  const hangUp = () =>
    server.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name()])

  /** Waits for the database, because the test's own connections were cut as well. */
  const reached = () => vi.waitFor(() => owner.query('select 1'))

  it('has no effect if short', async () => {
    const a = await desk('a')
    const id = await createWantedLine()
    await vi.waitFor(() => expect(a.supervisor.connectedLine(id)).toBeDefined())
    await hangUp()
    await reached()
    const later = await createWantedLine()
    await vi.waitFor(() => expect(a.supervisor.connectedLine(later)).toBeDefined())
    expect(doing(id)).toEqual(['a start'])
  })

  it('stops the lines if it lasts longer than a lease, until it is over', async () => {
    const a = await desk('a', { leaseMs: 1500, heartbeatMs: 100 })
    const id = await createWantedLine()
    await vi.waitFor(() => expect(a.supervisor.connectedLine(id)).toBeDefined())
    await shut(false)
    await hangUp()
    await vi.waitFor(() => expect(doing(id).at(-1)).toBe('a stop'))
    await shut(true)
    await reached()
    await vi.waitFor(() => expect(a.supervisor.connectedLine(id)).toBeDefined())
    // No other process held the line in between.
    expect((await lease(id)).fence).toBe(1)
  })
})

describe('two processes', () => {
  /** Asserts that the line never ran in two processes at once. */
  function oneAtATime(id: number): void {
    let running = 0
    for (const { action: act } of acts.filter((a) => a.id === id)) {
      running += act === 'start' ? 1 : -1
      expect(running).toBeLessThanOrEqual(1)
    }
  }

  it('share the lines and never run the same line twice', async () => {
    await Promise.all([desk('a'), desk('b')])
    const ids = await Promise.all(Array.from({ length: 20 }, () => createWantedLine()))
    await vi.waitFor(() => expect(ids.filter((id) => !doing(id).length)).toEqual([]))
    for (let round = 1; round <= 3; round++) await Promise.all(ids.map((id) => change(id, `"wantedRound" = ${round}`)))
    await vi.waitFor(() => {
      for (const id of ids)
        expect(acts.findLast((a) => a.id === id)).toMatchObject({ action: 'start', row: { wantedRound: 3 } })
    })
    for (const id of ids) oneAtATime(id)
  })

  it('hand lines over at once when one closes', async () => {
    // These leases and polls are too long to wait for, so only the signal at closing can cause the handover.
    const slow = { leaseMs: 600_000, heartbeatMs: 200_000, pollMs: 600_000 }
    const a = await desk('a', slow)
    const id = await createWantedLine()
    await vi.waitFor(() => expect(a.supervisor.connectedLine(id)).toBeDefined())
    const b = await desk('b', slow)
    expect(b.supervisor.connectedLine(id)).toBeUndefined()
    await a.supervisor.close()
    await vi.waitFor(() => expect(b.supervisor.connectedLine(id)).toBeDefined())
    expect(doing(id)).toEqual(['a start', 'a stop', 'b start'])
    expect(await lease(id)).toEqual({ holder: b.supervisor.holder, fence: 2, held: true })
  })

  it('stop a line in the process that loses the database before the other process starts it', async () => {
    const a = await desk('a', { leaseMs: 600 })
    const id = await createWantedLine()
    await vi.waitFor(() => expect(a.supervisor.connectedLine(id)).toBeDefined())
    const b = await desk('b')
    await a.die()
    await vi.waitFor(() => expect(b.supervisor.connectedLine(id)).toBeDefined())
    // On a busy machine such a short lease may expire early: then the first process started the line more than once.
    expect(doing(id).slice(-3)).toEqual(['a start', 'a stop', 'b start'])
    oneAtATime(id)
    expect((await lease(id)).fence).toBe(2)
  })

  it('stop a line whose lease was taken by the other, and the fence identifies the holder', async () => {
    const a = await desk('a')
    const id = await createWantedLine()
    await vi.waitFor(() => expect(a.supervisor.connectedLine(id)).toBeDefined())
    await owner.query(
      `update "lineLeases" set holder = 'somebody else', fence = fence + 1, until = now() + interval '1 hour' where "whatsappId" = $1`,
      [id],
    )
    await vi.waitFor(() => expect(doing(id)).toEqual(['a start', 'a stop']))
    await owner.query('update "lineLeases" set until = now() where "whatsappId" = $1', [id])
    await vi.waitFor(() => expect(a.supervisor.connectedLine(id)).toBeDefined())
    expect(acts.at(-1)?.row.fence).toBe(3)
  })

  it('take over the lines of a killed process', async () => {
    const id = await createWantedLine()
    const killed = await spawnHolder(600_000)
    await vi.waitFor(async () => expect((await lease(id))?.held).toBe(true), { timeout: 10_000 })
    const { holder } = await lease(id)
    const b = await desk('b')
    expect(b.supervisor.connectedLine(id)).toBeUndefined()
    killed.kill('SIGKILL')
    await vi.waitFor(() => expect(b.supervisor.connectedLine(id)).toBeDefined(), { timeout: 5000 })
    const now = await lease(id)
    expect(now).toEqual({ holder: b.supervisor.holder, fence: 2, held: true })
    expect(now.holder).not.toBe(holder)
  })

  it('take over the lines of a killed process before its lease expires, because its database session is gone', async () => {
    const id = await createWantedLine()
    const killed = await spawnHolder(600_000)
    await vi.waitFor(async () => expect((await lease(id))?.held).toBe(true), { timeout: 10_000 })
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    const b = await desk('b', { pollMs: 600_000 })
    await vi.waitFor(() => expect(b.supervisor.connectedLine(id)).toBeDefined(), { timeout: 10_000 })
    expect((await lease(id)).fence).toBe(2)
  })

  it('do not take over the lines of a process that lost its database session for a moment', async () => {
    const slow = { leaseMs: 600_000, heartbeatMs: 200_000, goneMs: 600_000 }
    const a = await desk('a', slow)
    const id = await createWantedLine()
    await vi.waitFor(() => expect(a.supervisor.connectedLine(id)).toBeDefined())
    const b = await desk('b', slow)
    const names = () => owner.query("select pid from pg_locks where locktype = 'advisory' and classid = 7268001")
    const before = (await names()).rows.length
    const [first] = (
      await owner.query('select pid from pg_locks where locktype = $1 and objid = hashtext($2)::oid', [
        'advisory',
        a.supervisor.holder,
      ])
    ).rows
    await owner.query('select pg_terminate_backend($1)', [first.pid])
    await vi.waitFor(async () => expect((await names()).rows.length).toBe(before - 1))
    await b.supervisor.reconcile()
    await vi.waitFor(async () => expect((await names()).rows.length).toBe(before), { timeout: 5000 })
    await b.supervisor.reconcile()
    expect([doing(id), (await lease(id)).holder]).toEqual([['a start'], a.supervisor.holder])
  })

  async function spawnHolder(leaseMs: number): Promise<ChildProcess> {
    const holder = new URL('../../test/line-holder-process.ts', import.meta.url)
    const child = fork(holder, [url, String(leaseMs)], { execArgv: [], stdio: 'inherit' })
    cleanups.unshift(async () => child.kill('SIGKILL'))
    await new Promise((resolve) => child.once('message', resolve))
    return child
  }
})
