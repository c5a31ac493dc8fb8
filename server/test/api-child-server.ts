import { readConfig } from '../src/kernel/config.ts'
import { makeLog } from '../src/kernel/log.ts'
import { openServer } from '../src/server.ts'

/** The whole server in a separate process that a test kills. It polls often, so that a restart takes effect at once. */
const log = makeLog(process.env.TEST_LOG ?? 'silent')
await openServer(readConfig(process.env), process.env.VICTIM_DATABASE as string, log, undefined, {
  ...{ crontab: '', pace: { pollMs: 30, retryMs: 20 }, sandbox: { reconnectMs: 20, pollMs: 100 } },
})
process.send?.('alive')
