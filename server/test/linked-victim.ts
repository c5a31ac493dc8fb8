import { linesOf } from '../src/app.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { makeVault } from '../src/kernel/crypto.ts'
import { type Database, openDatabase } from '../src/kernel/data/database.ts'
import { makeFiles } from '../src/kernel/files/files.ts'
import { makeLive } from '../src/kernel/live/live.ts'
import { openSignals } from '../src/kernel/live/signals.ts'
import { makeLog } from '../src/kernel/log.ts'
import { noPush } from '../src/kernel/outgoing/push.ts'
import { makeLinked } from '../src/lines/baileys/provider.ts'

/**
 * Linked lines in a process of their own that somebody will kill. Told to, it stands still before or after the journal
 * has the next message, and says so: a crash at exactly that moment is what its parent makes of it.
 */
const url = process.env.VICTIM_DATABASE as string
const log = makeLog(process.env.TEST_LOG ?? 'silent')
let stopAt: 'before' | 'after' | null = null
process.on('message', (at: typeof stopAt) => {
  stopAt = at
  process.send?.('told')
})

function standingStill(database: Database): Database {
  const forever = () => {
    process.send?.('still')
    return new Promise<never>(() => {})
  }
  const named: Database['named'] = async (companyId, name, text, values, before) => {
    const isMessage = name === 'journal_write' && String(values[3]).includes('"kind":"message"')
    if (isMessage && stopAt === 'before') return forever()
    const rows = await database.named<never>(companyId, name, text, values, before)
    return isMessage && stopAt === 'after' ? forever() : rows
  }
  return { ...database, named }
}

const vault = makeVault('a secret that is only for this test, long enough')
const means = {
  database: standingStill(openDatabase(url, log)),
  vault,
  live: makeLive(log),
  files: makeFiles(process.env.VICTIM_DATA as string, vault, systemClock, 1024 * 1024),
  clock: systemClock,
  push: noPush,
  publicUrl: 'http://127.0.0.1',
}
const signals = await openSignals(url, log)
const pace = { reconnectMs: 20 }
const beta = makeLinked({ means, log, url: process.env.VICTIM_WHATSAPP, pace })
const switchboard = linesOf(
  means,
  signals,
  log,
  { pace: { lookMs: 30, retryMs: 20, leaseMs: 1500, beatMs: 300 } },
  { beta },
)
await switchboard.supervisor.start()
process.send?.('alive')
