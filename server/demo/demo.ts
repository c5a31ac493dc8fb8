import { randomBytes } from 'node:crypto'
import { readConfig } from '../src/kernel/config.ts'
import { makeLog } from '../src/kernel/log.ts'
import { startPostgres } from '../src/kernel/postgres/embedded.ts'
import { openServer } from '../src/server.ts'
import { demoCompany, demoStaff } from './demo-company.ts'
import { fillDemo } from './fill-demo.ts'

/**
 * `npm run demo`: creates a demo company, before the first `npm start` or while it runs; `-- --again` recreates it with
 * today's dates. DEMO_PASSWORD sets its password; otherwise a password is generated and shown.
 */
const startedAt = performance.now()
const config = readConfig(process.env)
const log = makeLog('error')
const password = process.env.DEMO_PASSWORD || `demo-${randomBytes(4).toString('hex')}`

const postgres = config.databaseUrl ? null : await startPostgres({ dataDir: config.dataDir })
const url = config.databaseUrl ?? (postgres as { url: string }).url
// Uses any free port: this server runs only while the demo is written, and another server may be running.
const app = await openServer({ ...config, host: '127.0.0.1', port: 0, publicUrl: undefined }, url, log)
const demoResult = await fillDemo(app.deps, { password, recreate: process.argv.includes('--again') }).finally(
  async () => {
    await app.close()
    await postgres?.stop()
  },
)

const line = (name: string, value: string) => console.log(`  ${name.padEnd(16)}${value}`)
console.log()
if (demoResult.outcome === 'taken') {
  console.log(`  There is a company or person named like the demo's (${demoCompany.name}), and it is not the demo's.`)
  console.log('  Nothing was touched.\n')
  process.exit(1)
}
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
if (demoResult.outcome === 'there') console.log(`  ${demoCompany.name} is there already; only its passwords are new.`)
else console.log(`  ${demoCompany.name} has its demo data, after ${seconds} s.`)
console.log(`  ${demoResult.tickets} conversations, ${demoResult.messages} messages.\n`)
for (const one of demoStaff) line(one.name, `${one.email.padEnd(28)}${one.profile}, ${one.language}`)
line('Password', password)
if (demoResult.outcome === 'there') console.log('\n  For a new one with today’s dates: npm run demo -- --again')
if (app.firstAdmin?.password)
  console.log(
    `\n  The super user of this installation: ${app.firstAdmin.email}, password ${app.firstAdmin.password}\n  It is shown only once.`,
  )
console.log('\n  npm start, if it is not running, and log in.\n')
process.exit(0)
