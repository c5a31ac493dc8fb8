import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { startPostgres } from '../server/src/kernel/postgres/embedded.ts'
import { runKilledExchange } from '../server/test/killed-exchange.ts'
import { benchArrivals } from './arrivals.ts'
import {
  describeMachine,
  findRegressions,
  formatReport,
  type Measurement,
  parseMeasurements,
  readReport,
  writeReport,
} from './bench-report.ts'
import { benchBoard } from './board.ts'
import { benchCampaigns } from './campaigns.ts'
import { benchChats } from './chats.ts'
import { benchCloud } from './cloud.ts'
import { benchCompanies } from './companies.ts'
import { benchReports } from './dashboard-reports.ts'
import { benchFlows } from './flows.ts'
import { benchInbound } from './inbound.ts'
import { benchLinkedPhones } from './linked-phones.ts'
import { benchPages } from './pages.ts'
import { benchRouting } from './routing.ts'
import { benchSchedules } from './schedules.ts'
import { benchScreenSizes } from './screen-sizes.ts'
import { benchSending, benchSendingSoak } from './sending.ts'
import { benchSockets } from './sockets.ts'
import { benchStart } from './start.ts'
import { benchViews } from './views.ts'
import { benchWebhooks } from './webhooks.ts'
import { benchWorkspace } from './workspace.ts'

/**
 * `npm run bench` makes the report in ten minutes, as JSON and Markdown (`--out=PATH`, without extension).
 * `--compare=FILE.json` compares it with an earlier report. `npm run bench -- inbound pages` runs only the named
 * parts; the parts below `alone` run only when they are named. Each part runs on its own embedded database and also
 * measures its limit on this machine: ratios are comparable between machines, milliseconds are not.
 */
type BenchPart = () => Promise<Record<string, unknown> | Measurement[]>
const option = (name: string) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const hasOption = (name: string) => process.argv.includes(`--${name}`)
const tickets = Number(option('tickets') ?? 50_000)
const ms = Number(option('ms') ?? 3000)
const sizesOfPages = option('messages')?.split(',').map(Number) ?? [
  100_000,
  1_000_000,
  ...(hasOption('ten-million') ? [10_000_000] : []),
]

const reportedParts: Record<string, BenchPart> = {
  start: () => benchStart({ fresh: hasOption('fresh') }),
  sizes: benchScreenSizes,
  sockets: () => benchSockets({ many: 1000, times: 50 }),
  linked: () => benchLinkedPhones({ lines: 100 }),
  inbound: () => benchInbound({ messages: 20_000, seconds: 10 }),
  arrivals: () => benchArrivals({ people: 4000 }),
  outbox: () => benchCloud({ calls: 2000, seconds: 5 }),
  pages: async () => {
    const all: Measurement[] = []
    for (const messages of sizesOfPages)
      for (const companies of messages >= 1_000_000 ? [0, 999] : [0])
        all.push(...(await benchPages({ messages, tickets, ms, companies })))
    return all
  },
}

const optionalParts: Record<string, BenchPart> = {
  webhooks: () => benchWebhooks({ messages: 5000, seconds: 10, perSecond: 300 }),
  figures: () => {
    const large = hasOption('million') ? 1_000_000 : Number(option('conversations') ?? 200_000)
    return benchReports({ small: Math.min(20_000, large / 10), large, aim: 100 })
  },
  companies: () => benchCompanies({ many: 10_000 }),
  flows: () => benchFlows({ people: Number(option('people') ?? 10_000), pace: Number(option('pace') ?? 50) }),
  routing: () => benchRouting({ tickets: Number(option('tickets') ?? 10_000), people: 200, capacity: 10 }),
  views: () =>
    benchViews({
      tickets: Number(option('tickets') ?? 100_000),
      messages: Number(option('messages') ?? 200_000),
      ms,
    }),
  schedules: () => benchSchedules({ messages: 1000 }),
  campaigns: () => benchCampaigns({ people: 100_000, sends: 1000 }),
  sending: () => benchSending({ messages: 2000, people: 200, senders: 8 }),
  'sending-soak': () => benchSendingSoak({ messages: 50_000, kills: 60 }),
  workspace: () => benchWorkspace({ tickets: 10_000, webDir: option('web') }),
  board: () => benchBoard({ tickets: 10_000 }),
  chats: () => benchChats({ chats: 300, people: 2000, messages: 100, perSecond: 5 }),
  crash: async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'recado-bench-'))
    const postgres = await startPostgres({ dataDir })
    try {
      return await runKilledExchange(postgres.url, { kills: 1000, messages: 10_000, chats: 100, lifeMs: 300, execPath })
    } finally {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

const all = { ...reportedParts, ...optionalParts }
const namedParts = process.argv.slice(2).filter((word) => word in all)
const startedAt = performance.now()
const measurements: Measurement[] = []
for (const name of namedParts.length ? namedParts : Object.keys(reportedParts)) {
  console.log(`\n${name}`)
  const results = await (all[name] as BenchPart)()
  if (!Array.isArray(results))
    for (const [what, figure] of Object.entries(results)) console.log(`  ${what.padEnd(52)} ${figure}`)
  measurements.push(...(Array.isArray(results) ? results : parseMeasurements(name, results)))
}
const seconds = (performance.now() - startedAt) / 1000
const report = { at: new Date().toISOString(), machine: describeMachine(), seconds, figures: measurements }
const path = option('out') ?? 'data/bench/report'
writeReport(report, path)
console.log(`\n${formatReport(report)}\nwritten to ${path}.md and ${path}.json`)
const compareFile = option('compare')
if (compareFile) {
  const regressions = findRegressions(readReport(compareFile), report)
  console.log(
    regressions.length
      ? `\nworse than ${compareFile}:\n  ${regressions.join('\n  ')}`
      : `\nnothing is worse than ${compareFile}`,
  )
  process.exitCode = regressions.length ? 1 : 0
}
process.exit()
