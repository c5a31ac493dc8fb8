import '@recado/whatsapp/trust-service'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { makeMonotonicClock } from '../src/kernel/clock.ts'
import { readConfig } from '../src/kernel/config.ts'
import { makeLog } from '../src/kernel/log.ts'
import { openServer } from '../src/server.ts'

/**
 * The whole server in a child process. Its parent sends it the offset of the machine's clock and whether the disk for
 * files is full; all other faults are injected from outside.
 */
export type ChildServerCommand = { clockOffsetMs: number; isDiskFull: boolean }

let currentCommand: ChildServerCommand = { clockOffsetMs: 0, isDiskFull: false }
process.on('message', (word: ChildServerCommand) => {
  currentCommand = word
})

/** The system's error for a full disk. */
const makeDiskFullError = () =>
  Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28 })
for (const name of ['write', 'writev'] as const) {
  const real = fs[name] as (...given: unknown[]) => void
  const guarded = (...given: unknown[]) => {
    const answer = given.at(-1)
    if (currentCommand.isDiskFull && typeof answer === 'function')
      process.nextTick(answer as () => void, makeDiskFullError())
    else real(...given)
  }
  Reflect.set(fs, name, guarded)
}
syncBuiltinESMExports()

const clock = makeMonotonicClock(() => Date.now() + currentCommand.clockOffsetMs)
// Timeouts are shorter than in production: a thousand faults must not take a quarter of a minute each.
await openServer(
  readConfig(process.env),
  process.env.VICTIM_DATABASE as string,
  makeLog(process.env.CHAOS_LOG ?? 'warn'),
  clock,
  {
    pace: { leaseMs: 3000, heartbeatMs: 1000, pollMs: 500, retryMs: 100, goneMs: 1000 },
    cloud: { settleMs: 3000, timeoutMs: 5000, retryMs: 100, reconnectMs: 100, refusedMs: 500, pollMs: 500 },
    linked: { reconnectMs: 100, slowReconnectMs: 500 },
  },
)
process.send?.('alive')
