import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readConfig } from '../server/src/kernel/config.ts'
import { makeLog } from '../server/src/kernel/log.ts'
import { openServer } from '../server/src/server.ts'

/**
 * A server in a separate process: its memory is not mixed with the benchmark's. `--expose-gc` allows a garbage
 * collection before a measurement.
 */
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const config = readConfig(process.env)
// One user opens the sockets of all listeners.
const running = await openServer(
  { ...config, maxSocketsPerUser: 10_000 },
  config.databaseUrl ?? '',
  makeLog(config.logLevel),
)
process.on('message', (word) => {
  if (word !== 'weigh') return
  collect()
  collect()
  const { rss, heapUsed } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  process.send?.({ rss, heapUsed, cpuMs: (user + system) / 1000 })
})
process.on('disconnect', () => process.exit())
process.send?.({ address: running.address })
