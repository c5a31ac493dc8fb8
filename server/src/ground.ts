import { subscriptionsOf } from './accounts/push.ts'
import { wantedBy } from './directory/webhooks/told.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import type { Config } from './kernel/config.ts'
import { makeVault } from './kernel/crypto.ts'
import { mustKeepConnections, openDatabase, openPool } from './kernel/data/database.ts'
import { earlierMarks } from './kernel/data/earlier-marks.ts'
import { migrate } from './kernel/data/migrate.ts'
import type { Means } from './kernel/data/scope.ts'
import { makeFiles } from './kernel/files/files.ts'
import { makeLive } from './kernel/live/live.ts'
import { openSignals } from './kernel/live/signals.ts'
import type { Log } from './kernel/log.ts'
import { openHooks } from './kernel/outgoing/hooks.ts'
import { makeOutgoing } from './kernel/outgoing/outgoing.ts'
import { openPush } from './kernel/outgoing/push.ts'
import { tellWhile } from './kernel/starting.ts'

/**
 * What every scope needs, on a given database with its tables up to date. No line, no job and no door is opened by it:
 * the whole house stands on this, and so does what moves companies in and out.
 */
export async function openGround(config: Config, databaseUrl: string, log: Log, clock: Clock = systemClock) {
  const owner = openPool(databaseUrl, log, { max: 6 })
  await tellWhile(log, 'the tables, brought up to date by this process or another', migrate(owner))
  await tellWhile(log, 'the database', mustKeepConnections(databaseUrl, log))
  const database = openDatabase(databaseUrl, log)
  const vault = makeVault(config.appSecret, await earlierMarks(database.platform, makeVault(config.appSecret)))
  const live = makeLive(log, config.socketsEach)
  const files = makeFiles(config, vault, clock)
  const signals = await tellWhile(log, 'the database', openSignals(databaseUrl, log))
  const outgoing = makeOutgoing(config, clock)
  const subject = config.publicUrl?.startsWith('https') ? config.publicUrl : `mailto:${config.adminEmail}`
  const subscriptions = subscriptionsOf(database.platform, signals)
  const push = await openPush({ platform: database.platform, vault, outgoing, subscriptions, log, subject })
  const hooks = await openHooks(wantedBy(database, signals), log)
  const means: Means = {
    push,
    hooks,
    outgoing,
    database,
    live,
    files,
    vault,
    clock,
    dialogflowUrl: config.dialogflowUrl,
    efiUrl: config.efiUrl ?? '',
    asaasUrl: config.asaasUrl ?? '',
    publicUrl: config.publicUrl ?? `http://${config.host}:${config.port}`,
  }
  return {
    means,
    owner,
    signals,
    async close() {
      push.close()
      hooks.close()
      await signals.close()
      await database.close()
      await owner.end()
    },
  }
}
