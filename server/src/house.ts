import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { makeKeys } from './accounts/doors/keys.ts'
import { sweepHere } from './accounts/presence.ts'
import { subscriptionsOf } from './accounts/push.ts'
import { seed } from './accounts/seed.ts'
import { makeSessions } from './accounts/sessions.ts'
import { buildApp, crontab, jobsOf, type LineOptions, linesOf, unanswered } from './app.ts'
import type { Switchboard } from './automation/switchboard.ts'
import { makeTeller, type Teller } from './automation/webhooks/teller.ts'
import { watchChats } from './desk/chats/typing.ts'
import { watchSeats } from './desk/seats.ts'
import { watchConversations } from './desk/watching.ts'
import { phonesOf } from './directory/contacts/phones.ts'
import { wantedBy } from './directory/webhooks/told.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import type { Config } from './kernel/config.ts'
import { makeVault } from './kernel/crypto.ts'
import { openDatabase, openPool } from './kernel/data/database.ts'
import { migrate } from './kernel/data/migrate.ts'
import type { Means } from './kernel/data/scope.ts'
import { keepSorted } from './kernel/data/search-index.ts'
import { makeFiles } from './kernel/files/files.ts'
import { startJobs } from './kernel/jobs.ts'
import { makeLive } from './kernel/live/live.ts'
import { openSignals } from './kernel/live/signals.ts'
import type { Log } from './kernel/log.ts'
import { openHooks } from './kernel/outgoing/hooks.ts'
import { makeMailer } from './kernel/outgoing/mail.ts'
import { makeOutgoing } from './kernel/outgoing/outgoing.ts'
import { openPush } from './kernel/outgoing/push.ts'
import { makeLinked } from './lines/baileys/provider.ts'
import { makeCloud } from './lines/cloud/line.ts'
import type { Supervisor } from './lines/supervisor.ts'

export type Running = {
  app: FastifyInstance
  means: Means
  lines: Supervisor
  switchboard: Switchboard
  teller: Teller
  address: string
  /** Whom the first run made; null afterwards. */
  firstAdmin: { email: string; password: string | null } | null
  close(): Promise<void>
}

/**
 * What every scope needs, on a given database with its tables up to date. No line, no job and no door is opened by it:
 * the whole house stands on this, and so does what moves companies in and out.
 */
export async function openGround(config: Config, databaseUrl: string, log: Log, clock: Clock = systemClock) {
  const owner = openPool(databaseUrl, log, { max: 6 })
  await migrate(owner)
  const database = openDatabase(databaseUrl, log)
  const vault = makeVault(config.appSecret)
  const live = makeLive(log)
  const files = makeFiles(config.dataDir, vault, clock, config.uploadLimit)
  const signals = await openSignals(databaseUrl, log)
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

/** Opens everything on a given database and listens. Closing drains: no new calls, jobs finish, then the pools. */
export async function openHouse(
  config: Config,
  databaseUrl: string,
  log: Log,
  clock: Clock = systemClock,
  lineOptions: LineOptions = {},
): Promise<Running> {
  const ground = await openGround(config, databaseUrl, log, clock)
  const { means, owner, signals } = ground
  const { live, files } = means
  const sessions = makeSessions(means, signals)
  const keys = makeKeys(means, signals)
  const mailer = makeMailer(config, log)
  const firstAdmin = await seed(means, config)
  await files.tidy()
  const { graphUrl } = config
  const cloud = makeCloud({ means, log, signals, graphUrl, ...(lineOptions.cloud && { pace: lineOptions.cloud }) })
  const { whatsappUrl: url } = config
  const beta = url ? makeLinked({ means, log, url, pace: lineOptions.linked }) : undefined
  const switchboard = linesOf(means, signals, log, lineOptions, { beta, cloud: cloud.make })
  const lines = switchboard.supervisor
  const teller = makeTeller(means, log, signals, lineOptions.telling)
  watchSeats(live, signals, means)
  signals.on('sweep', () => {
    sweepHere(live, means, sessions).catch((err) => log.warn({ err }, 'who is here was not refreshed'))
  })
  const watching = watchConversations(live, means, log)
  watchChats(live, means)

  const ready = () =>
    owner.query('select 1').then(
      () => true,
      () => false,
    )
  const phones = phonesOf((whatsappId) => lines.running(whatsappId), live)
  const house = { means, sessions, keys, config, log, mailer, phones, cloud, ready }
  const app = await buildApp(house)
  const missing = unanswered(app)
  if (missing.length) throw new Error(`Endpoints without a handler: ${missing.join(', ')}`)
  const peerPool = openPool(databaseUrl, log, { role: 'recado_platform', max: 2 })
  live.attach(app.server, sessions.fromSocket, config.corsOrigins, peerPool)
  const jobs = await startJobs(owner, jobsOf(house), log, lineOptions.crontab ?? crontab)
  await app.listen({ host: config.host, port: config.port })
  // Port 0 means "any": only now is the address known.
  const { port } = app.server.address() as AddressInfo
  const address = config.publicUrl ?? `http://${config.host}:${port}`
  means.publicUrl = address
  await lines.start()
  const search = keepSorted(owner, 'messages_search', log)

  return {
    app,
    means,
    lines,
    switchboard,
    teller,
    address,
    firstAdmin,
    async close() {
      // First: another process takes the lines over while this one still drains.
      await switchboard.close()
      await teller.close()
      await live.close()
      await watching.close()
      await app.close()
      await jobs.stop()
      mailer.close()
      await peerPool.end()
      await search.close()
      await ground.close()
    },
  }
}
