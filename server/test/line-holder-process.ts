import { openDatabase } from '../src/kernel/data/database.ts'
import type { Deps } from '../src/kernel/data/scope.ts'
import { openSignals } from '../src/kernel/live/signals.ts'
import { makeLog } from '../src/kernel/log.ts'
import type { Line } from '../src/lines/line.ts'
import { makeSupervisor } from '../src/lines/supervisor.ts'

/** A process that runs lines until it is killed. Arguments: the database, and the length of its leases. */
const url = process.argv[2] as string
const log = makeLog('silent')
const supervisor = makeSupervisor({
  deps: { database: openDatabase(url, log) } as Deps,
  log,
  signals: await openSignals(url, log),
  makers: {
    sandbox: () => ({ start: async () => {}, stop: async () => {} }) as unknown as Line,
    beta: undefined,
    cloud: undefined,
  },
  outlets: {
    receive: async () => {},
    reportState: async () => {},
    reportTyping: () => {},
    reportReachOutLock: async () => {},
    reportUnreadable: async () => {},
  },
  pace: { leaseMs: Number(process.argv[3]), heartbeatMs: 200, pollMs: 100 },
})
await supervisor.start()
process.send?.('ready')
