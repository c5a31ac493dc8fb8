import { once } from 'node:events'
import type { BotBackend } from '../src/automation/bot-requests/backend.ts'
import { makeBotRequestRunner } from '../src/automation/bot-requests/runner.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { makeVault } from '../src/kernel/crypto.ts'
import { openDatabase } from '../src/kernel/data/database.ts'
import { makeFiles } from '../src/kernel/files/files.ts'
import { makeLiveUpdates } from '../src/kernel/live/live-updates.ts'
import { makeLog } from '../src/kernel/log.ts'
import { makeOutgoingClient } from '../src/kernel/outgoing/outgoing-client.ts'
import { noPushSender } from '../src/kernel/outgoing/push.ts'
import { noWebhookInterest } from '../src/kernel/outgoing/webhook-interest.ts'
import { slowBackendName } from './slow-bot.ts'

/** Runs bot requests in a separate process that a test kills: before the answer, or right after it. */
const log = makeLog(process.env.TEST_LOG ?? 'silent')
const vault = makeVault('a secret that is only for this test, long enough')
const deps = {
  database: openDatabase(process.env.VICTIM_DATABASE as string, log),
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
const slowBackend: BotBackend = {
  name: slowBackendName,
  async answer() {
    process.send?.('asked')
    await once(process, 'message')
    return { bot: 'slow', why: 'it-knew', messages: ['de quien muere'] }
  },
}
makeBotRequestRunner(deps, log, [slowBackend], { pollMs: 30 })
// Keeps the process alive until it is killed.
setInterval(() => {}, 60_000)
process.send?.('alive')
