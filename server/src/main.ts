import { openHouse } from './house.ts'
import { ConfigError, checkAddress, readConfig } from './kernel/config.ts'
import { makeLog } from './kernel/log.ts'
import { type Postgres, startPostgres } from './kernel/postgres/embedded.ts'
import { tellWhile } from './kernel/starting.ts'

/** Longer than this and whoever asked us to stop will pull the plug. */
const patience = 9_000

async function settings() {
  try {
    const read = readConfig(process.env)
    await checkAddress(read)
    return read
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(`Recado cannot start with these settings:\n${error.message}`)
    process.exit(2)
  }
}

const config = await settings()
const log = makeLog(config.logLevel)
const opening = open()
let stopping = false
// From here on: whoever changes their mind while it starts leaves no database behind.
process.on('SIGTERM', () => void stop('SIGTERM'))
process.on('SIGINT', () => void stop('SIGINT'))

const { house } = await opening
console.log(`\n  Recado is running at ${house.address}\n`)
if (house.firstAdmin) {
  const { email, password } = house.firstAdmin
  console.log(`  Log in with   ${email}\n  Password      ${password ?? '(the ADMIN_PASSWORD you set)'}\n`)
  if (password) console.log('  This password is shown only once. Change it under your profile.\n')
}

async function open() {
  let postgres: Postgres | undefined
  try {
    if (!config.databaseUrl) {
      const starting = startPostgres({ dataDir: config.dataDir, log: (line) => log.info(line) })
      postgres = await tellWhile(log, 'PostgreSQL (its words are in postgres.log)', starting)
    }
    const house = await openHouse(config, config.databaseUrl ?? (postgres as Postgres).url, log)
    return { house, postgres }
  } catch (err) {
    log.fatal({ err }, 'Recado could not start')
    console.error(`Recado could not start: ${err instanceof Error ? err.message : err}`)
    await postgres?.stop()
    process.exit(1)
  }
}

async function stop(signal: string): Promise<void> {
  if (stopping) return
  stopping = true
  log.info({ signal }, 'stopping')
  setTimeout(() => process.exit(1), patience).unref()
  const { house, postgres } = await opening
  await house.close()
  await postgres?.stop()
  process.exit(0)
}
