import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { WhatsApp } from '@recado/whatsapp/service'
import type pg from 'pg'
import { hashPassword } from '../src/kernel/crypto.ts'
import { openPool } from '../src/kernel/data/database.ts'
import { migrateDatabase } from '../src/kernel/data/migrate.ts'
import { makeLog } from '../src/kernel/log.ts'
import { startPostgres } from '../src/kernel/postgres/embedded.ts'
import { fakeGraph } from '../test/fake-graph.ts'
import { findFreePort } from '../test/killed-api-sending.ts'
import type { ChildServerCommand } from './child-server.ts'
import { type DatabaseProxy, openDatabaseProxy } from './database-proxy.ts'

const password = 'a-Good-passw0rd'
/** How long a process may take to start on a loaded machine. */
const startTimeoutMs = 240_000
/** How many characters of a process's output are kept. */
const maxOutputKept = 3000
/** Tables that would need more space. Each refuses writes while the disk is full, with the database's own error. */
const tablesFailingWhenFull = ['journal', 'messages', 'tickets', 'contacts', 'cloudInbox', 'cloudSends', 'schedules']

type EnvironmentOptions = { processes: number; execPath?: string | undefined; signal?: AbortSignal | undefined }

/** A durable PostgreSQL, several processes on it with separate proxied connections, a fake Meta and a fake WhatsApp. */
export async function openEnvironment(o: EnvironmentOptions) {
  const dataDir = await mkdtemp(join(tmpdir(), 'recado-chaos-'))
  const postgres = await startPostgres({ dataDir })
  /** Cleanup functions, run from last to first, also if opening fails midway. */
  const cleanups = [() => rm(dataDir, { recursive: true, force: true }), () => postgres.stop()]
  const closeAll = async () => {
    for (const close of cleanups.splice(0).reverse()) await close()
  }
  try {
    return await startProcesses(o, { dataDir, url: postgres.url, cleanups: cleanups, closeAll: closeAll })
  } catch (error) {
    await closeAll()
    throw error
  }
}

type EnvironmentBase = {
  dataDir: string
  url: string
  cleanups: (() => Promise<unknown>)[]
  closeAll: () => Promise<void>
}

async function startProcesses(
  o: EnvironmentOptions,
  { dataDir, url: databaseUrl, cleanups, closeAll }: EnvironmentBase,
) {
  const socketFolder = new URL(databaseUrl).searchParams.get('host') as string
  const socketPath = () => join(socketFolder, '.s.PGSQL.5432')
  const db = openPool(databaseUrl, makeLog('silent'), { max: 3 })
  cleanups.push(() => db.end())
  await migrateDatabase(db)
  await installDiskFullTrigger(db)
  o.signal?.throwIfAborted()
  const graph = await fakeGraph()
  cleanups.push(() => graph.close())
  const wa = await WhatsApp.start()
  cleanups.push(() => wa.close())
  const appSecret = randomBytes(32).toString('hex')
  const command: ChildServerCommand = { clockOffsetMs: 0, isDiskFull: false }
  const closed = { is: false }
  let closing: Promise<void> | undefined
  /** Unexpected deaths of processes. */
  const deaths: string[] = []

  async function makeProcess() {
    const port = await findFreePort()
    const proxy = await openDatabaseProxy(socketPath)
    cleanups.push(() => proxy.close())
    const url = new URL(databaseUrl)
    const env = {
      ...process.env,
      ...{ HOST: '127.0.0.1', PORT: String(port), DATA_DIR: dataDir, APP_SECRET: appSecret, GRAPH_API_URL: graph.base },
      // Nothing leaves the machine: the version of WhatsApp Web is looked up where there is none.
      ...{ WHATSAPP_URL: wa.url, WHATSAPP_VERSION_URL: graph.base, LOCAL_WHATSAPP: JSON.stringify(wa.credentials) },
      ...{ ADMIN_EMAIL: 'super@recado.test', ADMIN_PASSWORD: password, LOG_LEVEL: 'silent' },
      VICTIM_DATABASE: `postgres://${url.username}@127.0.0.1:${proxy.port}${url.pathname}`,
    }
    let child: ChildProcess | null = null
    let lives = 0
    /** The process that was killed on purpose: if any other process ends after its start, that is a bug. */
    let killed: ChildProcess | null = null
    /** The last output of the running process, which says why it did not start or why it ended. */
    let output = ''
    const collectOutput = (piece: Buffer) => {
      output = (output + piece).slice(-maxOutputKept)
      if (process.env.CHAOS_LOG) process.stderr.write(piece)
    }
    /** Starts the process again until it is up, because the database may not be available yet. */
    async function start(): Promise<void> {
      for (const deadline = Date.now() + startTimeoutMs; !closed.is; ) {
        const started = fork(new URL('./child-server.ts', import.meta.url), {
          ...{ env, execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
          ...(o.execPath && { execPath: o.execPath }),
        })
        child = started
        output = ''
        for (const stream of [started.stdout, started.stderr]) stream?.on('data', collectOutput)
        // Sending a message to a process that has just died raises this error.
        started.on('error', () => {})
        started.send(command)
        const ended = new Promise((resolve) => started.once('exit', resolve))
        const tooLong = new AbortController()
        const how = await Promise.race([
          new Promise((resolve) => started.once('message', resolve)).then(() => 'alive'),
          ended.then(() => 'dead'),
          pause(startTimeoutMs, 'late', { signal: tooLong.signal }).catch(() => 'late'),
        ])
        tooLong.abort()
        if (how === 'alive') {
          started.once('exit', (code, signal) => void (killed === started || closed.is || recordDeath(code ?? signal)))
          return void lives++
        }
        const why = Date.now() > deadline ? await whatItWaitsFor() : ''
        started.kill('SIGKILL')
        if (why) throw new Error(`a process did not come up within ${startTimeoutMs / 1000} s (${how}): ${why}`)
        await pause(200)
      }
    }
    function recordDeath(how: number | string | null): void {
      deaths.push(`a process ended by itself (${how}): ${output}`)
      void start().catch((error) => void deaths.push(String(error)))
    }
    const whatItWaitsFor = async () =>
      `it said "${output.trim()}", and the database does ${await describeDatabaseActivity(db)}`
    async function kill(): Promise<void> {
      const dying = child
      if (!dying || dying.exitCode !== null || dying.signalCode !== null) return
      killed = dying
      const ended = once(dying, 'exit')
      dying.kill('SIGKILL')
      await ended
    }
    cleanups.push(async () => {
      child?.kill('SIGCONT')
      await kill()
    })
    let isRestarting = false
    return {
      databaseProxy: proxy,
      address: `http://127.0.0.1:${port}`,
      start: start,
      kill: kill,
      startCount: () => lives,
      /** Kills and restarts the process; a process that is just starting is not killed again. */
      async restart(downMs: number): Promise<void> {
        if (isRestarting) return
        isRestarting = true
        try {
          await kill()
          await pause(downMs)
          await start()
        } finally {
          isRestarting = false
        }
      },
      signal: (signal: 'SIGSTOP' | 'SIGCONT') => void child?.kill(signal),
      sendCommand: () => {
        if (child?.connected) child.send(command)
      },
    }
  }

  const processes = await Promise.all(Array.from({ length: o.processes }, makeProcess))
  const sendCommandToAll = () => {
    for (const one of processes) one.sendCommand()
  }
  await Promise.all(processes.map((one) => one.start()))

  return {
    db,
    graph,
    wa,
    processes,
    password,
    dataDir,
    deaths,
    addresses: () => processes.map((one) => one.address),
    /** The server's current time. */
    now: () => Date.now() + command.clockOffsetMs,
    setClockOffset(ms: number): void {
      command.clockOffsetMs = ms
      sendCommandToAll()
    },
    setFilesFull(full: boolean): void {
      command.isDiskFull = full
      sendCommandToAll()
    },
    setDatabaseFull: (full: boolean) =>
      retryUntilDone(() => db.query(full ? 'insert into chaos_full values (true)' : 'delete from chaos_full')),
    /**
     * Kills the whole database server, which is then restarted; or only one of its backends, whose death ends all other
     * backends.
     */
    async killDatabase(whole: boolean): Promise<void> {
      if (whole) {
        const pid = Number(readFileSync(join(dataDir, 'cluster/postmaster.pid'), 'utf8').split('\n')[0])
        return void process.kill(pid, 'SIGKILL')
      }
      const { rows } = await db.query(
        `select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
      )
      if (rows[0]) process.kill(rows[0].pid, 'SIGKILL')
    },
    /** The first call closes the environment; all calls wait until it is closed. */
    close(): Promise<void> {
      closed.is = true
      closing ??= closeAll()
      return closing
    },
  }
}
export type ChaosEnvironment = Awaited<ReturnType<typeof openEnvironment>>
export type EnvironmentProcess = ChaosEnvironment['processes'][number]
export type { DatabaseProxy }

/** Retries however long the database is unavailable. */
export async function retryUntilDone<T>(work: () => Promise<T>, withinMs = 60_000): Promise<T> {
  for (const deadline = Date.now() + withinMs; ; await pause(100)) {
    try {
      return await work()
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}

/** Describes what the database is doing or waiting for. The query has a short timeout. */
async function describeDatabaseActivity(db: pg.Pool): Promise<string> {
  const asked = db
    .query(
      `select state, wait_event, pg_blocking_pids(pid) as blocked, pid, left(query, 120) as query from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    )
    .then(({ rows }) => JSON.stringify(rows))
  const tooLong = pause(5000, 'not answer', { ref: false })
  return Promise.race([asked.catch((error) => `say ${error}`), tooLong])
}

async function installDiskFullTrigger(db: pg.Pool): Promise<void> {
  await db.query(`
    create table chaos_full (yes boolean);
    create function chaos_full() returns trigger language plpgsql security definer as $$ begin
      if exists (select from public.chaos_full) then
        raise exception 'could not extend file: No space left on device' using errcode = 'disk_full';
      end if;
      return null;
    end $$`)
  for (const table of tablesFailingWhenFull)
    await db.query(
      `create trigger chaos_full before insert on "${table}" for each statement execute function chaos_full()`,
    )
}

/** Inserts a company with its admin and this many agents, before the server starts: only rows are needed. */
export async function insertCompany(db: pg.Pool, agents: number) {
  const hash = await hashPassword(password)
  const { rows } = await db.query(`insert into companies (name, "planId") values ('Chaos', 2) returning id`)
  const companyId = rows[0].id as number
  const emails = ['admin', ...Array.from({ length: agents }, (_, n) => `agent-${n}`)].map(
    (name) => `${name}@chaos.test`,
  )
  for (const [n, email] of emails.entries())
    await db.query(
      `insert into users ("companyId", name, email, profile, "passwordHash", "allTicket")
       values ($1, $2, $3, $4, $5, 'enabled')`,
      [companyId, email.split('@')[0], email, n === 0 ? 'admin' : 'user', hash],
    )
  return { companyId, emails }
}
