import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { readConfig } from '../server/src/kernel/config.ts'
import { makeLog } from '../server/src/kernel/log.ts'
import { openServer } from '../server/src/server.ts'

/** A house in a process of its own: what it weighs is not mixed with who measures it. */
setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const config = readConfig(process.env)
// One person plays all who listen.
const running = await openServer({ ...config, socketsEach: 10_000 }, config.databaseUrl ?? '', makeLog(config.logLevel))
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
