import { setTimeout as pause } from 'node:timers/promises'
import { ConfigError, checkListenAddress, readConfig } from './kernel/config.ts'
import { makeLog } from './kernel/log.ts'
import { type EmbeddedPostgres, startPostgres } from './kernel/postgres/embedded.ts'
import { warnWhileWaiting } from './kernel/startup-progress.ts'
import { openServer } from './server.ts'

/** The process manager kills a process that takes longer than about ten seconds. */
const shutdownTimeoutMs = 9_500
/** Afterwards the database is told to stop, which it then does even if this process ends first. */
const serverCloseTimeoutMs = 7_000

async function readSettings() {
  try {
    const read = readConfig(process.env)
    await checkListenAddress(read)
    return read
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(`Recado cannot start with these settings:\n${error.message}`)
    process.exit(2)
  }
}

const config = await readSettings()
const log = makeLog(config.logLevel)
let postgres: EmbeddedPostgres | undefined
const opening = open()
let isStopping = false
// Registered before the start, so that an early stop does not leave a database running.
process.on('SIGTERM', () => void shutDown('SIGTERM'))
process.on('SIGINT', () => void shutDown('SIGINT'))

const server = await opening
console.log(`\n  Recado is running at ${server.address}\n`)
if (server.firstAdmin) {
  const { email, password } = server.firstAdmin
  console.log(`  Log in with   ${email}\n  Password      ${password ?? '(the ADMIN_PASSWORD you set)'}\n`)
  if (password) console.log('  This password is shown only once. Change it under your profile.\n')
}

async function open() {
  try {
    if (!config.databaseUrl) {
      const starting = startPostgres({ dataDir: config.dataDir, log: (line) => log.info(line) })
      postgres = await warnWhileWaiting(log, 'PostgreSQL (its words are in postgres.log)', starting)
    }
    return await openServer(config, config.databaseUrl ?? (postgres as EmbeddedPostgres).url, log)
  } catch (err) {
    log.fatal({ err }, 'Recado could not start')
    console.error(`Recado could not start: ${err instanceof Error ? err.message : err}`)
    await postgres?.stop()
    process.exit(1)
  }
}

async function shutDown(signal: string): Promise<void> {
  if (isStopping) return
  isStopping = true
  log.info({ signal }, 'stopping')
  setTimeout(() => process.exit(1), shutdownTimeoutMs).unref()
  // Work that is cut off here is carried on at the next start, as after a crash.
  const closing = opening.then((server) => server.close()).then(() => true)
  const isClosed = await Promise.race([closing, pause(serverCloseTimeoutMs, false)])
  if (!isClosed) log.warn('the server did not close in time; its work goes on at the next start')
  await postgres?.stop()
  process.exit(isClosed ? 0 : 1)
}
