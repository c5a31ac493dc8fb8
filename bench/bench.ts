import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { startPostgres } from '../server/src/kernel/postgres/embedded.ts'
import { killedExchange } from '../server/test/exchange.ts'
import { board } from './board.ts'
import { campaigns } from './campaigns.ts'
import { chats } from './chats.ts'
import { cloud } from './cloud.ts'
import { figures } from './figures.ts'
import { inbound } from './inbound.ts'
import { linked } from './linked.ts'
import { lists } from './lists.ts'
import { schedules } from './schedules.ts'
import { sending, sendingSoak } from './sending.ts'
import { sizes } from './sizes.ts'
import { starting } from './start.ts'
import { webhooks } from './webhooks.ts'
import { workspace } from './workspace.ts'

/**
 * `npm run bench` prints every figure; `npm run bench -- inbound lists` some of them. Each part runs alone, on an
 * embedded database of its own, and compares within its own run: ratios travel between machines, milliseconds do not.
 */
const parts: Record<string, () => Promise<Record<string, unknown>>> = {
  start: () => starting({ fresh: !process.argv.includes('--no-fresh') }),
  sizes,
  inbound: () => inbound({ messages: 20_000, seconds: 10 }),
  webhooks: () => webhooks({ messages: 5000, seconds: 10, perSecond: 300 }),
  cloud: () => cloud({ calls: 2000, seconds: 5 }),
  linked: () => linked({ lines: 100 }),
  lists: () => lists({ small: 100_000, large: 1_000_000, tickets: 50_000, ms: 5000 }),
  figures: () => figures({ small: 100_000, large: 1_000_000, limit: 100 }),
  schedules: () => schedules({ messages: 1000 }),
  campaigns: () => campaigns({ people: 100_000, sends: 1000 }),
  sending: () => sending({ messages: 2000, people: 200, senders: 8 }),
  'sending-soak': () => sendingSoak({ messages: 50_000, kills: 60 }),
  workspace: () =>
    workspace({ tickets: 10_000, webDir: process.argv.find((word) => word.startsWith('--web='))?.slice(6) }),
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

const wanted = process.argv.slice(2).filter((word) => word in parts)
for (const [name, run] of Object.entries(parts)) {
  if (wanted.length && !wanted.includes(name)) continue
  console.log(`\n${name}`)
  for (const [what, figure] of Object.entries(await run())) console.log(`  ${what.padEnd(52)} ${figure}`)
}
process.exit(0)
