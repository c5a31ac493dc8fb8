import { makePushSubscriptionSource } from './accounts/push-subscriptions.ts'
import { makeWebhookInterestSource } from './directory/webhooks/webhook-events.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import type { Config } from './kernel/config.ts'
import { makeVault } from './kernel/crypto.ts'
import { assertNoConnectionPooler, openDatabase, openPool } from './kernel/data/database.ts'
import { migrateDatabase } from './kernel/data/migrate.ts'
import { loadPreviousHmacKeys } from './kernel/data/previous-hmac-keys.ts'
import type { Deps } from './kernel/data/scope.ts'
import { makeFiles } from './kernel/files/files.ts'
import { makeLiveUpdates } from './kernel/live/live-updates.ts'
import { openSignals } from './kernel/live/signals.ts'
import type { Log } from './kernel/log.ts'
import { makeOutgoingClient } from './kernel/outgoing/outgoing-client.ts'
import { openPushSender } from './kernel/outgoing/push.ts'
import { openWebhookInterest } from './kernel/outgoing/webhook-interest.ts'
import { warnWhileWaiting } from './kernel/startup-progress.ts'

/**
 * The dependencies of every scope, on a database with migrated tables. Opens no line, job or port: the whole server is
 * built on this, and so are company import and export.
 */
export async function openInfrastructure(config: Config, databaseUrl: string, log: Log, clock: Clock = systemClock) {
  const owner = openPool(databaseUrl, log, { max: 6 })
  await warnWhileWaiting(log, 'the tables, brought up to date by this process or another', migrateDatabase(owner))
  await warnWhileWaiting(log, 'the database', assertNoConnectionPooler(databaseUrl, log))
  const database = openDatabase(databaseUrl, log)
  const vault = makeVault(config.appSecret, await loadPreviousHmacKeys(database.platform, makeVault(config.appSecret)))
  const live = makeLiveUpdates(log, config.maxSocketsPerUser)
  const files = makeFiles(config, vault, clock)
  const signals = await warnWhileWaiting(log, 'the database', openSignals(databaseUrl, log))
  const outgoing = makeOutgoingClient(config, clock)
  const subject = config.publicUrl?.startsWith('https') ? config.publicUrl : `mailto:${config.adminEmail}`
  const subscriptions = makePushSubscriptionSource(database.platform, signals)
  const push = await openPushSender({ platform: database.platform, vault, outgoing, subscriptions, log, subject })
  const hooks = await openWebhookInterest(makeWebhookInterestSource(database, signals), log)
  const deps: Deps = {
    push,
    webhookInterest: hooks,
    outgoing,
    database,
    live,
    files,
    vault,
    clock,
    dialogflowUrl: config.dialogflowUrl,
    efiUrl: config.efiUrl ?? '',
    aiModel: config.aiModel,
    metaApp: config.metaApp,
    asaasUrl: config.asaasUrl ?? '',
    publicUrl: config.publicUrl ?? `http://${config.host}:${config.port}`,
  }
  return {
    deps: deps,
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
