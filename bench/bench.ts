import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { startPostgres } from '../server/src/kernel/postgres/embedded.ts'
import { killedExchange } from '../server/test/exchange.ts'
import { arrivals } from './arrivals.ts'
import { board } from './board.ts'
import { campaigns } from './campaigns.ts'
import { chats } from './chats.ts'
import { cloud } from './cloud.ts'
import { companies } from './companies.ts'
import { figures } from './figures.ts'
import { inbound } from './inbound.ts'
import { linked } from './linked.ts'
import { pages } from './pages.ts'
import { type Figure, figuresOf, inWords, machineNow, readReport, worseThan, writeReport } from './report.ts'
import { schedules } from './schedules.ts'
import { sending, sendingSoak } from './sending.ts'
import { sizes } from './sizes.ts'
import { sockets } from './sockets.ts'
import { starting } from './start.ts'
import { webhooks } from './webhooks.ts'
import { workspace } from './workspace.ts'

/**
 * `npm run bench` makes the report: ten minutes, JSON and Markdown (`--out=PATH`, without ending), compared with an
 * earlier one by `--compare=FILE.json`. `npm run bench -- inbound pages` makes it of some parts; those below `alone` are
 * only measured when they are named. Each part runs on an embedded database of its own and beside its limit: ratios
 * travel between machines, milliseconds do not.
 */
type Part = () => Promise<Record<string, unknown> | Figure[]>
const option = (name: string) => process.argv.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const has = (name: string) => process.argv.includes(`--${name}`)
const tickets = Number(option('tickets') ?? 50_000)
const ms = Number(option('ms') ?? 3000)
const sizesOfPages = option('messages')?.split(',').map(Number) ?? [
  100_000,
  1_000_000,
  ...(has('ten-million') ? [10_000_000] : []),
]

const reported: Record<string, Part> = {
  start: () => starting({ fresh: has('fresh') }),
  sizes,
  sockets: () => sockets({ many: 1000, times: 50 }),
  linked: () => linked({ lines: 100 }),
  inbound: () => inbound({ messages: 20_000, seconds: 10 }),
  arrivals: () => arrivals({ people: 4000 }),
  outbox: () => cloud({ calls: 2000, seconds: 5 }),
  pages: async () => {
    const all: Figure[] = []
    for (const messages of sizesOfPages) all.push(...(await pages({ messages, tickets, ms })))
    return all
  },
}

const alone: Record<string, Part> = {
  webhooks: () => webhooks({ messages: 5000, seconds: 10, perSecond: 300 }),
  figures: () => {
    const large = has('million') ? 1_000_000 : Number(option('conversations') ?? 200_000)
    return figures({ small: Math.min(20_000, large / 10), large, aim: 100 })
  },
  companies: () => companies({ many: 10_000 }),
  schedules: () => schedules({ messages: 1000 }),
  campaigns: () => campaigns({ people: 100_000, sends: 1000 }),
  sending: () => sending({ messages: 2000, people: 200, senders: 8 }),
  'sending-soak': () => sendingSoak({ messages: 50_000, kills: 60 }),
  workspace: () => workspace({ tickets: 10_000, webDir: option('web') }),
  board: () => board({ tickets: 10_000 }),
  chats: () => chats({ chats: 300, people: 2000, messages: 100, perSecond: 5 }),
  crash: async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'recado-bench-'))
    const postgres = await startPostgres({ dataDir })
    try {
      return await killedExchange(postgres.url, { kills: 1000, messages: 10_000, chats: 100, lifeMs: 300, execPath })
    } finally {
      await postgres.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
}

const all = { ...reported, ...alone }
const named = process.argv.slice(2).filter((word) => word in all)
const began = performance.now()
const found: Figure[] = []
for (const name of named.length ? named : Object.keys(reported)) {
  console.log(`\n${name}`)
  const said = await (all[name] as Part)()
  if (!Array.isArray(said))
    for (const [what, figure] of Object.entries(said)) console.log(`  ${what.padEnd(52)} ${figure}`)
  found.push(...(Array.isArray(said) ? said : figuresOf(name, said)))
}
const seconds = (performance.now() - began) / 1000
const report = { at: new Date().toISOString(), machine: machineNow(), seconds, figures: found }
const path = option('out') ?? 'data/bench/report'
writeReport(report, path)
console.log(`\n${inWords(report)}\nwritten to ${path}.md and ${path}.json`)
const earlier = option('compare')
if (earlier) {
  const worse = worseThan(readReport(earlier), report)
  console.log(worse.length ? `\nworse than ${earlier}:\n  ${worse.join('\n  ')}` : `\nnothing is worse than ${earlier}`)
  process.exitCode = worse.length ? 1 : 0
}
process.exit()
