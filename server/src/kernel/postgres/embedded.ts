import { existsSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { binaries, checkVersion, initialise, openGroundFor, trimLog } from './ground.ts'
import { database, login, settle } from './login.ts'
import { end, run } from './process.ts'

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

/**
 * Starts PostgreSQL from the npm package on a folder of ours, reachable through a private unix socket alone; or
 * joins the one that already runs there, as after a `kill -9` of its former parent.
 */
export async function startPostgres({ dataDir, log = () => {}, durable = true }: Options): Promise<Postgres> {
  const ground = await openGroundFor(dataDir, log, durable)
  const bin = await binaries(ground.account, log)
  if (!existsSync(join(ground.cluster, 'PG_VERSION'))) await initialise(ground, bin, durable)
  checkVersion(ground)

  let running = await run(ground, bin, durable)
  const mine = running.child !== undefined || running.orphan
  if (running.orphan) log('PostgreSQL was still running from an earlier start; carrying on with it')
  await settle(running.socket)

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
      running = await run(ground, bin, durable)
      guard()
    } catch (error) {
      log(String(error))
    }
  }
  guard()
  const trimming = setInterval(() => trimLog(ground.logFile).catch(() => {}), 3_600_000).unref()

  return {
    // With a host name in its place every parser reads the address; pg then goes by the query's host.
    url: `postgres://${login}@localhost:5432/${database}?host=${encodeURIComponent(running.socket)}`,
    adopted: running.child === undefined,
    stop() {
      clearInterval(trimming)
      stopping ??= (async () => {
        await recovering
        if (!mine) return
        await end(running.pid, log)
        if (dirname(ground.socket) !== ground.home) await fs.rm(ground.socket, { recursive: true, force: true })
      })()
      return stopping
    },
  }
}
