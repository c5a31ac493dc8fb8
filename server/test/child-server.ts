import { makeLines } from '../src/app.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { makeVault } from '../src/kernel/crypto.ts'
import { openDatabase } from '../src/kernel/data/database.ts'
import { makeFiles } from '../src/kernel/files/files.ts'
import { makeLiveUpdates } from '../src/kernel/live/live-updates.ts'
import { openSignals } from '../src/kernel/live/signals.ts'
import { makeLog } from '../src/kernel/log.ts'
import { makeOutgoingClient } from '../src/kernel/outgoing/outgoing-client.ts'
import { noPushSender } from '../src/kernel/outgoing/push.ts'
import { noWebhookInterest } from '../src/kernel/outgoing/webhook-interest.ts'

/**
 * Only the role `lines`, in a separate process that a test kills: line, journal, lanes and outbox on the given database. It
 * polls often, so that a restart takes effect at once.
 */
const url = process.env.VICTIM_DATABASE as string
const log = makeLog(process.env.TEST_LOG ?? 'silent')
const database = openDatabase(url, log)
const vault = makeVault('a secret that is only for this test, long enough')
const deps = {
  database,
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
const signals = await openSignals(url, log)
const switchboard = makeLines(deps, signals, log, {
  pace: { pollMs: 30, retryMs: 20 },
  sandbox: { reconnectMs: 20, pollMs: 100 },
})
await switchboard.supervisor.start()
// Timers run on command, not only every few seconds.
process.on('message', () => void switchboard.timers.poll())
process.send?.('alive')
