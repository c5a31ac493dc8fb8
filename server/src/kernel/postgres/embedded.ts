import { existsSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkClusterVersion, findBinaries, initCluster, prepareClusterLocation, trimLog } from './cluster-location.ts'
import { createOwnerAndDatabase, databaseName, ownerRole } from './database-owner.ts'
import {
  hasRestarted,
  isProcessAlive,
  joinOrStartServer,
  pollMs,
  sleep,
  stopServer,
  waitForExit,
} from './server-process.ts'

type Options = {
  dataDir: string
  /** Receives a sentence for each event that an operator may want to know about. */
  log?: (line: string) => void
  /** False: faster, but not crash-safe, for temporary test databases. They also end with the process. */
  isDurable?: boolean
}

export type EmbeddedPostgres = {
  url: string
  /** Stops the database, unless another live process started it. */
  stop(): Promise<void>
  /** Whether the server was already running. */
  isAdopted: boolean
}

/** Retry interval after a failed restart: a full disk may have been cleaned up by then. */
const restartDelayMs = 5_000

/**
 * Starts PostgreSQL from the npm package on a folder of ours, reachable only through a private unix socket. If a server
 * already runs there, as after a `kill -9` of its parent, this joins it.
 */
export async function startPostgres({
  dataDir,
  log = () => {},
  isDurable: durable = true,
}: Options): Promise<EmbeddedPostgres> {
  const location = await prepareClusterLocation(dataDir, log, durable)
  const bin = await findBinaries(location.account, log)
  if (!existsSync(join(location.cluster, 'PG_VERSION'))) await initCluster(location, bin, durable)
  checkClusterVersion(location)

  let running = await joinOrStartServer(location, bin, durable)
  if (running.isOrphan) log('PostgreSQL was still running from an earlier start; carrying on with it')
  await createOwnerAndDatabase(running.socket)

  const abort = new AbortController()
  // Whether we stop and restart the server: it is our child or an orphan. The server of another live process is
  // stopped and restarted by that process.
  const isMine = () => running.child !== undefined || running.isOrphan || !isProcessAlive(running.owner)
  const superviseServer = async () => {
    while (!abort.signal.aborted) {
      const cause = await waitForExit(running, abort.signal)
      while (!isMine() && !abort.signal.aborted && !(await hasRestarted(location))) await sleep(pollMs, abort.signal)
      if (abort.signal.aborted) return
      if (isMine()) log(`PostgreSQL ended unexpectedly (${cause}); starting it again`)
      // The server was usually killed by the kernel's out-of-memory killer. Committed data is recovered, and the
      // pools reconnect.
      await joinOrStartServer(location, bin, durable).then(
        (again) => {
          running = again
        },
        (error) => {
          log(String(error))
          return sleep(restartDelayMs, abort.signal)
        },
      )
    }
  }
  const supervision = superviseServer()
  let stopping: Promise<void> | undefined
  const trimTimer = setInterval(() => trimLog(location.logFile).catch(() => {}), 3_600_000).unref()

  return {
    // The URL has a host name because some parsers require one; pg uses the host of the query.
    url: `postgres://${ownerRole}@localhost:5432/${databaseName}?host=${encodeURIComponent(running.socket)}`,
    isAdopted: running.child === undefined,
    stop() {
      clearInterval(trimTimer)
      abort.abort()
      stopping ??= (async () => {
        await supervision
        if (!isMine()) return
        await stopServer(running.pid, log)
        if (dirname(location.socket) !== location.home) await fs.rm(location.socket, { recursive: true, force: true })
      })()
      return stopping
    },
  }
}
