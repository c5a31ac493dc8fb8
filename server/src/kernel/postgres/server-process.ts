import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { ClusterLocation } from './cluster-location.ts'

/** `owner`: the process that started the server. `isOrphan`: that process has ended. */
export type RunningPostgres = {
  pid: number
  socket: string
  child: ChildProcess | undefined
  owner: number
  isOrphan: boolean
}

/** How often a server that is not our child is checked. */
export const pollMs = 250

/** A pause that does not keep the process alive. */
export const sleep = (ms: number, signal: AbortSignal): Promise<void> =>
  pause(ms, undefined, { signal, ref: false }).catch(() => {})

/** Waits until the server has ended, and returns the cause if known. */
export async function waitForExit({ pid, child }: RunningPostgres, signal: AbortSignal): Promise<string | number> {
  if (child) {
    const { exitCode, signalCode } = child
    if (exitCode !== null || signalCode !== null) return signalCode ?? exitCode ?? ''
    const [code, by] = await once(child, 'exit', { signal }).catch(() => [])
    return by ?? code ?? ''
  }
  while (isProcessAlive(pid) && !signal.aborted) await sleep(pollMs, signal)
  return 'adopted'
}

/** Whether another process has already restarted the server. */
export const hasRestarted = async ({ cluster }: ClusterLocation): Promise<boolean> => {
  const lock = readLockFile(cluster)
  return lock !== undefined && isProcessAlive(lock.pid) && (await probeServer(lock.socket)).state === 'ready'
}

/** Whether a live process has this pid. Without /proc a zombie counts until it is reaped. */
export function isProcessAlive(pid: number): boolean {
  if (!existsSync('/proc/self/stat')) return isPidTaken(pid)
  const state = readStat(pid)?.state
  return state !== undefined && state !== 'Z'
}

/** Joins the server of this cluster if one answers, else starts one; returns when it accepts connections. */
export async function joinOrStartServer(
  location: ClusterLocation,
  bin: string,
  durable: boolean,
): Promise<RunningPostgres> {
  // Replaying the write-ahead log after a crash takes seconds; on a failing disk, minutes.
  const deadline = Date.now() + 120_000
  let child: ChildProcess | undefined
  let launches = 0
  while (Date.now() < deadline) {
    const lock = readLockFile(location.cluster)
    const answer = await probeServer(lock?.socket ?? location.socket)
    if (answer.state === 'ready') {
      const pid = lock?.pid ?? readLockFile(location.cluster)?.pid
      if (!pid) throw new Error(`Something that is not our PostgreSQL answers in ${location.socket}`)
      const ours = child?.pid === pid ? child : undefined
      const parent = parentOf(pid)
      // The kernel gives an orphan another parent than the one that started it.
      const orphan = !ours && parent !== undefined && String(parent) !== answer.owner
      return {
        pid,
        socket: lock?.socket ?? location.socket,
        child: ours,
        owner: Number(answer.owner),
        isOrphan: orphan,
      }
    }
    const alive = child && child.exitCode === null && child.signalCode === null
    if (answer.state === 'nobody' && !alive && !isClusterInUse(lock)) {
      // The processes of a killed server may need a moment to end, and a concurrent start may be faster.
      if (launches++ === 20) throw new Error(`PostgreSQL does not start:\n${await logTail(location.logFile)}`)
      if (launches > 1) await pause(250)
      // PostgreSQL removes the lock file of a dead server, but not if another process has its pid now.
      if (lock && isPidTaken(lock.pid)) await fs.rm(join(location.cluster, 'postmaster.pid'), { force: true })
      child = await launch(location, bin, durable)
    }
    await pause(20)
  }
  throw new Error(`PostgreSQL does not answer:\n${await logTail(location.logFile)}`)
}

function launch(
  { cluster, socket, logFile, account }: ClusterLocation,
  bin: string,
  durable: boolean,
): Promise<ChildProcess> {
  const settings: Record<string, string | number> = {
    listen_addresses: '',
    unix_socket_directories: socket,
    unix_socket_permissions: '0700',
    port: 5432,
    // Enough connections for three processes of ours and an operator.
    max_connections: 100,
    shared_buffers: '128MB',
    effective_cache_size: '512MB',
    work_mem: '8MB',
    random_page_cost: 1.1,
    // When tables fill quickly, the planner must not use statistics of empty tables for a minute.
    autovacuum_naptime: '15s',
    // JIT is off, because statements are short. On two cores a parallel plan would take CPU from Node.
    jit: 'off',
    max_parallel_workers_per_gather: 0,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // The log has starts, stops and crashes. Refused statements are reported by the caller, and would contain
    // customers' messages.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    ...(durable ? { fsync: 'on', synchronous_commit: 'on' } : throwawaySettings),
    // This setting is read when a process joins the server, to detect an orphan.
    'recado.owner': process.pid,
  }
  const args = ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const command = [join(bin, 'postgres'), ...args]
  // Tests are often killed, and no later process would adopt their databases, so these end with the parent.
  if (!durable && existsSync('/usr/bin/setpriv')) command.unshift('/usr/bin/setpriv', '--pdeathsig', 'QUIT', '--')
  const [program = '', ...rest] = command
  const output = openSync(logFile, 'a', 0o600)
  // A separate process group: Ctrl-C in the terminal must reach Node only, which stops the database last.
  const child = spawn(program, rest, {
    ...account,
    cwd: '/',
    env: { PATH: process.env.PATH },
    stdio: ['ignore', output, output],
    detached: true,
  })
  closeSync(output)
  child.unref()
  return new Promise((resolve, reject) => {
    child.once('spawn', () => resolve(child))
    child.once('error', reject)
  })
}

/**
 * Settings of temporary databases. They allow more connections, because test files run in parallel, some with two
 * servers.
 */
const throwawaySettings = {
  max_connections: 300,
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_wal_size: '256MB',
}

type PostmasterLock = { pid: number; socket: string; memory: number | undefined }

/** The lock file of the running (or crashed) server. */
function readLockFile(cluster: string): PostmasterLock | undefined {
  try {
    const [pid, , , , socket, , memory] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    const id = Number(memory?.trim().split(/\s+/)[1])
    return socket?.trim() ? { pid: Number(pid), socket: socket.trim(), memory: id || undefined } : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Whether any process still uses this cluster: each of its processes is attached to its shared memory. */
function isClusterInUse(lock: PostmasterLock | undefined): boolean {
  if (!lock) return false
  if (lock.memory && existsSync('/proc/sysvipc/shm')) {
    const rows = readFileSync('/proc/sysvipc/shm', 'utf8').split('\n')
    const row = rows.map((line) => line.trim().split(/\s+/)).find(([, id]) => Number(id) === lock.memory)
    return Number(row?.[6] ?? 0) > 0
  }
  return parentOf(lock.pid) !== undefined
}

/** Whether some process has this pid. */
function isPidTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** The parent of a live postgres process. Zombies, and other programs with the same pid, do not count. */
function parentOf(pid: number): number | undefined {
  const { name, state, parent } = (existsSync('/proc/self/stat') ? readStat(pid) : readPs(pid)) ?? {}
  return name === 'postgres' && !state?.startsWith('Z') ? parent : undefined
}

type Process = { name: string; state: string; parent: number }

function readStat(pid: number): Process | undefined {
  try {
    const found = /^\d+ \((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    return found ? { name: found[1] ?? '', state: found[2] ?? '', parent: Number(found[3]) } : undefined
  } catch {
    return undefined
  }
}

/** For systems without /proc such as macOS, where ps returns the name with its whole path. */
function readPs(pid: number): Process | undefined {
  const { stdout } = spawnSync('ps', ['-ww', '-o', 'ppid=,stat=,comm=', '-p', String(pid)], { encoding: 'utf8' })
  const found = /^(\d+) +(\S+) +(.*)/.exec((stdout ?? '').trim())
  return found ? { parent: Number(found[1]), state: found[2] ?? '', name: basename(found[3] ?? '').trim() } : undefined
}

type ProbeResult = { state: 'ready'; owner: string } | { state: 'busy' | 'nobody' }

async function probeServer(socket: string): Promise<ProbeResult> {
  if (!existsSync(join(socket, '.s.PGSQL.5432'))) return { state: 'nobody' }
  const client = makeSuperuserClient(socket)
  try {
    await client.connect()
    const { rows } = await client.query(`select current_setting('recado.owner', true) as owner`)
    return { state: 'ready', owner: rows[0]?.owner ?? '' }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return { state: code === 'ECONNREFUSED' || code === 'ENOENT' ? 'nobody' : 'busy' }
  } finally {
    await client.end().catch(() => {})
  }
}

/** A client that connects as the superuser. */
export function makeSuperuserClient(socket: string, database = 'postgres') {
  // All values are set explicitly, because pg would take missing ones from PGPORT and similar variables.
  const address = { host: socket, port: 5432, user: 'postgres', database, password: '', ssl: false }
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  return client
}

export async function stopServer(pid: number, log: (line: string) => void) {
  // SIGINT ends sessions and flushes all data. SIGQUIT stops at once; the next start replays the write-ahead log.
  for (const [signal, patience] of [
    ['SIGINT', 5_000],
    ['SIGQUIT', 3_000],
  ] as const) {
    try {
      if (parentOf(pid) !== undefined) process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
    for (const deadline = Date.now() + patience; Date.now() < deadline; await pause(10))
      if (parentOf(pid) === undefined) return
    log(`PostgreSQL did not end within ${patience / 1000} s of ${signal}`)
  }
}

async function logTail(file: string): Promise<string> {
  return existsSync(file) ? (await fs.readFile(file, 'utf8')).trim().split('\n').slice(-12).join('\n') : ''
}
