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
import { makeCloudProvider } from '../src/lines/cloud/provider.ts'

/** A process that only runs lines on the official API, until a test kills it. */
const { VICTIM_DATABASE: url = '', VICTIM_SECRET: secret = '', VICTIM_GRAPH: graphUrl = '' } = process.env
const log = makeLog(process.env.TEST_LOG ?? 'silent')
const vault = makeVault(secret)
const deps = {
  database: openDatabase(url, log),
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
const cloud = makeCloudProvider({
  deps: deps,
  log,
  signals,
  graphUrl,
  pace: { settleMs: 2000, reconnectMs: 20, timeoutMs: 30_000 },
})
const { supervisor } = makeLines(deps, signals, log, { pace: { pollMs: 30, retryMs: 20 } }, { cloud: cloud.makeLine })
await supervisor.start()
process.send?.('alive')
