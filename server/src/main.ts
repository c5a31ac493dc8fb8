import { openHouse } from './house.ts'
import { ConfigError, readConfig } from './kernel/config.ts'
import { startPostgres } from './kernel/embedded-postgres.ts'
import { makeLog } from './kernel/log.ts'

/** Longer than this and whoever asked us to stop will pull the plug. */
const patience = 9_000

function settings() {
  try {
    return readConfig(process.env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    console.error(`Recado cannot start with these settings:\n${error.message}`)
    process.exit(2)
  }
}

const config = settings()
const log = makeLog(config.logLevel)
const postgres = config.databaseUrl
  ? null
  : await startPostgres({ dataDir: config.dataDir, log: (line) => log.info(line) })
const house = await openHouse(config, config.databaseUrl ?? (postgres as { url: string }).url, log).catch(
  async (err) => {
    log.fatal({ err }, 'Recado could not start')
    await postgres?.stop()
    process.exit(1)
  },
)

console.log(`\n  Recado is running at ${house.address}\n`)
if (house.firstAdmin) {
  const { email, password } = house.firstAdmin
  console.log(`  Log in with   ${email}\n  Password      ${password ?? '(the ADMIN_PASSWORD you set)'}\n`)
  if (password) console.log('  This password is shown only once. Change it under your profile.\n')
}

let stopping = false
async function stop(signal: string): Promise<void> {
  if (stopping) return
  stopping = true
  log.info({ signal }, 'stopping')
  setTimeout(() => process.exit(1), patience).unref()
  await house.close()
  await postgres?.stop()
  process.exit(0)
}
process.on('SIGTERM', () => void stop('SIGTERM'))
process.on('SIGINT', () => void stop('SIGINT'))
