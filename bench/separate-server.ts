import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { hashPassword } from '../server/src/kernel/crypto.ts'
import { openPool } from '../server/src/kernel/data/database.ts'
import { makeLog } from '../server/src/kernel/log.ts'
import { startPostgres } from '../server/src/kernel/postgres/embedded.ts'

export type MemoryUsage = { rss: number; heapUsed: number }
export type CpuUsage = { node: number; database: number }
export type BenchUser = { id: number; token: string }

/** A server in a separate process with its own database: its costs are not mixed with the benchmark's. */
export type SeparateServer = {
  address: string
  url: string
  pool: pg.Pool
  companyId: number
  admin: BenchUser
  addUser(name: string, profile: 'admin' | 'user'): Promise<BenchUser>
  /** CPU milliseconds of the server and the database for some work. */
  measureCpu<R>(work: () => Promise<R>): Promise<{ result: R; cpu: CpuUsage }>
  readMemoryUsage(): Promise<MemoryUsage>
  /** The processes of the server and the database. */
  pids(): number[]
  close(): Promise<void>
}

const password = 'bench-Passw0rd'

/** Reads nanoseconds, because the ticks of `stat` are ten milliseconds. */
const cpuMs = (pid: number): number => {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return 0
  }
}
export const threadsCpuMs = (pid: number): number => {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => sum + cpuMs(Number(task)), 0)
  } catch {
    return 0
  }
}

export function childPids(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(/\s+/).filter(Boolean).map(Number)
  } catch {
    return []
  }
}

export async function askChild<A>(child: ChildProcess, command: string): Promise<A> {
  const answer = once(child, 'message')
  child.send(command)
  return (await answer)[0] as A
}

export async function openSeparateServer(): Promise<SeparateServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'recado-bench-'))
  const postgres = await startPostgres({ dataDir })
  const postmaster = Number(readFileSync(join(dataDir, 'cluster/postmaster.pid'), 'utf8').split('\n')[0])
  const serverProcess = fork(new URL('./server-process.ts', import.meta.url), {
    execArgv: ['--max-semi-space-size=4'],
    env: { ...process.env, PORT: '0', DATABASE_URL: postgres.url, DATA_DIR: dataDir, LOG_LEVEL: 'error' },
  })
  const [{ address }] = (await once(serverProcess, 'message')) as [{ address: string }]
  const pool = openPool(postgres.url, makeLog('error'), { max: 8 })
  const { rows } = await pool.query(`insert into companies (name, "planId") values ('Bench', 2) returning id`)
  const companyId = rows[0].id as number
  const addUser = async (name: string, profile: 'admin' | 'user'): Promise<BenchUser> => {
    const email = `${name.toLowerCase()}@bench.local`
    const made = await pool.query(
      `insert into users ("companyId", name, email, profile, "allTicket", "passwordHash") values ($1, $2, $3, $4, 'enabled', $5) returning id`,
      [companyId, name, email, profile, await hashPassword(password)],
    )
    const login = await fetch(`${address}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    return { id: made.rows[0].id, token: ((await login.json()) as { token: string }).token }
  }
  const pids = () => [serverProcess.pid as number, postmaster, ...childPids(postmaster)]
  return {
    address,
    url: postgres.url,
    pool,
    companyId,
    admin: await addUser('Ana', 'admin'),
    addUser: addUser,
    pids,
    async measureCpu(work) {
      // Counts all threads of the server, because compression and hashing run outside the event loop. Few
      // connections end in between; their time is lost.
      const readDatabaseCpu = () => new Map(childPids(postmaster).map((pid) => [pid, cpuMs(pid)]))
      const [before, node] = [readDatabaseCpu(), threadsCpuMs(serverProcess.pid as number)]
      const result = await work()
      const database = [...readDatabaseCpu()].reduce((sum, [pid, ran]) => sum + ran - (before.get(pid) ?? 0), 0)
      return { result, cpu: { node: threadsCpuMs(serverProcess.pid as number) - node, database } }
    },
    readMemoryUsage: () => askChild<MemoryUsage>(serverProcess, 'weigh'),
    async close() {
      const ended = once(serverProcess, 'exit')
      serverProcess.disconnect()
      await ended
      await pool.end()
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
