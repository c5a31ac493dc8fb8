import { makeLines } from '../src/app.ts'
import { storeOutgoing } from '../src/desk/messages/store.ts'
import { presentTicket } from '../src/desk/tickets/base/ticket-view.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { makeVault } from '../src/kernel/crypto.ts'
import { type Database, openDatabase } from '../src/kernel/data/database.ts'
import { Scope } from '../src/kernel/data/scope.ts'
import { makeFiles } from '../src/kernel/files/files.ts'
import { makeLiveUpdates } from '../src/kernel/live/live-updates.ts'
import { openSignals } from '../src/kernel/live/signals.ts'
import { makeLog } from '../src/kernel/log.ts'
import { makeOutgoingClient } from '../src/kernel/outgoing/outgoing-client.ts'
import { noPushSender } from '../src/kernel/outgoing/push.ts'
import { noWebhookInterest } from '../src/kernel/outgoing/webhook-interest.ts'
import { makeWebVersions } from '../src/lines/baileys/link/web-version.ts'
import { makeLinkedProvider } from '../src/lines/baileys/provider.ts'

/**
 * Runs linked lines in a separate process that a test kills. On command, it stops before or after journaling the next
 * message, and reports this, so that the parent can kill it at exactly that moment.
 */
const url = process.env.VICTIM_DATABASE as string
const log = makeLog(process.env.TEST_LOG ?? 'silent')
let stopAt: 'before' | 'after' | null = null
/** `say`: an agent sends this text to the number `to`. */
type ChildOrder = 'before' | 'after' | { say: string; to: string }
process.on('message', (order: ChildOrder) => {
  if (typeof order === 'object') return void answerAsAgent(order).catch(() => {})
  stopAt = order
  process.send?.('told')
})

function pauseAtJournal(database: Database): Database {
  const forever = () => {
    process.send?.('still')
    return new Promise<never>(() => {})
  }
  const named: Database['queryPrepared'] = async (companyId, name, text, values, before) => {
    const isMessage = name === 'journal_write' && String(values[3]).includes('"kind":"message"')
    if (isMessage && stopAt === 'before') return forever()
    const rows = await database.queryPrepared<never>(companyId, name, text, values, before)
    return isMessage && stopAt === 'after' ? forever() : rows
  }
  return { ...database, queryPrepared: named }
}

const vault = makeVault('a secret that is only for this test, long enough')
const deps = {
  database: pauseAtJournal(openDatabase(url, log)),
  vault,
  live: makeLiveUpdates(log),
  files: makeFiles(
    { dataDir: process.env.VICTIM_DATA as string, uploadLimit: 1024 * 1024, diskReservePercent: 0 },
    vault,
    systemClock,
  ),
  clock: systemClock,
  push: noPushSender,
  webhookInterest: noWebhookInterest,
  outgoing: makeOutgoingClient({ privateTargets: false, callTimeoutMs: 5000 }),
  dialogflowUrl: '',
  publicUrl: 'http://127.0.0.1',
}
async function answerAsAgent({ say, to }: Exclude<ChildOrder, string>): Promise<void> {
  const known = await new Scope(deps, { companyId: 0, wide: true }).db
    .selectFrom('tickets as t')
    .innerJoin('contacts as c', 'c.id', 't.contactId')
    .select(['t.id', 't.companyId'])
    .where('c.number', '=', to)
    .executeTakeFirst()
  if (!known) return
  await new Scope(deps, { companyId: known.companyId }).transaction(async (scope) => {
    await storeOutgoing(scope, await presentTicket(scope, known.id), [{ body: say }])
  })
}

const signals = await openSignals(url, log)
const timings = { reconnectMs: 20 }
const versions = makeWebVersions(deps, '', log)
const whatsappUrl = process.env.VICTIM_WHATSAPP
const beta = makeLinkedProvider({ deps: deps, log, signals, url: whatsappUrl, versions, pace: timings })
const switchboard = makeLines(deps, signals, log, { pace: { pollMs: 30, retryMs: 20, goneMs: 100 } }, { beta })
await switchboard.supervisor.start()
process.send?.('alive')
