import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { makeApiKeys } from './accounts/api-access/api-keys.ts'
import { makeBackups } from './accounts/platform/backups.ts'
import { refreshLocalPresence } from './accounts/presence.ts'
import { seedDatabase } from './accounts/seed.ts'
import { makeSessions } from './accounts/sessions.ts'
import {
  appVersion,
  buildApp,
  buildMonitoringApp,
  crontab,
  type LineOptions,
  listUnhandledEndpoints,
  makeJobHandlers,
  makeLines,
  makeOwnOriginCheck,
} from './app.ts'
import { makeBacklogReader } from './automation/health/backlog.ts'
import { makeMetricsReader } from './automation/health/metrics.ts'
import { makeProcessMonitor } from './automation/health/processes.ts'
import type { Switchboard } from './automation/switchboard.ts'
import {
  makeWebhookDispatcher,
  makeWebhookForwarder,
  type WebhookDispatcher,
} from './automation/webhooks/webhook-dispatcher.ts'
import { relayChatTyping } from './desk/chats/typing.ts'
import { trackConversationPresence } from './desk/conversation-presence.ts'
import { assignSocketRooms } from './desk/socket-rooms.ts'
import { makePhoneQueries } from './directory/contacts/phone-queries.ts'
import { openInfrastructure } from './infrastructure.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import type { Config, ProcessRole } from './kernel/config.ts'
import { openPool } from './kernel/data/database.ts'
import type { Deps } from './kernel/data/scope.ts'
import { startSearchIndexFlush } from './kernel/data/search-index.ts'
import { startTableAnalysis } from './kernel/data/table-statistics.ts'
import { startJobs } from './kernel/jobs.ts'
import type { Log } from './kernel/log.ts'
import { makeMailer } from './kernel/outgoing/mail.ts'
import { warnWhileWaiting } from './kernel/startup-progress.ts'
import { makeWebVersions } from './lines/baileys/link/web-version.ts'
import { makeLinkedProvider } from './lines/baileys/provider.ts'
import { makeCloudProvider } from './lines/cloud/provider.ts'
import type { Supervisor } from './lines/supervisor.ts'

export type RunningServer = {
  app: FastifyInstance
  deps: Deps
  lines: Supervisor
  switchboard: Switchboard
  webhookDispatcher: WebhookDispatcher
  address: string
  /** The user created by the first run; null afterwards. */
  firstAdmin: { email: string; password: string | null } | null
  close(): Promise<void>
}

/** The parts of a process by role; `web` means HTTP and sockets. */
const partsForRole = (role: ProcessRole = 'all') => ({
  web: role === 'all' || role === 'web',
  lines: role === 'all' || role === 'lines',
  jobs: role === 'all' || role === 'jobs',
})

/** Opens the server on a given database and listens. Closing refuses new requests, finishes jobs, then ends the pools. */
export async function openServer(
  config: Config,
  databaseUrl: string,
  log: Log,
  clock: Clock = systemClock,
  lineOptions: LineOptions = {},
): Promise<RunningServer> {
  const roleParts = partsForRole(config.role)
  const infrastructure = await openInfrastructure(config, databaseUrl, log, clock)
  const { deps, owner, signals } = infrastructure
  const { live, files } = deps
  const sessions = makeSessions(deps, signals, config.sessionTtlMs)
  const keys = makeApiKeys(deps, signals)
  const mailer = makeMailer(config, log)
  const firstAdmin = await warnWhileWaiting(log, 'the first rows', seedDatabase(deps, config))
  await warnWhileWaiting(log, 'the files of earlier starts', files.removeStaleUploads())
  const { graphUrl } = config
  const cloud = makeCloudProvider({
    deps: deps,
    log,
    signals,
    graphUrl,
    ...(lineOptions.cloud && { pace: lineOptions.cloud }),
  })
  const { whatsappUrl: url } = config
  const versions = makeWebVersions(deps, config.whatsappVersionUrl ?? '', log)
  const beta = url
    ? makeLinkedProvider({ deps: deps, log, signals, url, versions, pace: lineOptions.linked })
    : undefined
  const switchboard = makeLines(deps, signals, log, lineOptions, { beta, cloud: cloud.makeLine }, roleParts.jobs)
  const lines = switchboard.supervisor
  const webhookDispatcher = roleParts.jobs
    ? makeWebhookDispatcher(deps, log, signals, lineOptions.dispatchTimings)
    : makeWebhookForwarder(deps, log)
  assignSocketRooms(live, signals, deps)
  signals.on('sweep', () => {
    refreshLocalPresence(live, deps, sessions).catch((err) => log.warn({ err }, 'could not refresh the presence'))
  })
  const conversationPresence = trackConversationPresence(live, deps, log)
  relayChatTyping(live, deps)

  const ready = () =>
    owner.query('select 1').then(
      () => true,
      () => false,
    )
  const phones = makePhoneQueries((whatsappId) => lines.connectedLine(whatsappId), live)
  const backups = makeBackups(deps, config, databaseUrl, log)
  const processes = makeProcessMonitor(live, {
    ...{
      holder: lines.holder,
      version: appVersion,
      role: config.role === 'all' ? undefined : config.role,
      since: new Date(),
    },
    ...{ lines: lines.count, backlog: switchboard.inbox.backlog },
  })
  const readBacklog = makeBacklogReader(deps)
  const readMetrics = makeMetricsReader(readBacklog, switchboard, webhookDispatcher, deps.clock.now)
  const parts = {
    deps: deps,
    sessions,
    keys,
    config,
    log,
    mailer,
    phones,
    cloud,
    versions,
    backups,
    processes,
    readBacklog: readBacklog,
    readMetrics: readMetrics,
    isReady: ready,
  }
  const app = roleParts.web ? await buildApp(parts) : await buildMonitoringApp(parts)
  const missing = roleParts.web ? listUnhandledEndpoints(app) : []
  if (missing.length) throw new Error(`Endpoints without a handler: ${missing.join(', ')}`)
  const peerPool = openPool(databaseUrl, log, { role: 'recado_platform', max: 2 })
  live.attach(
    roleParts.web ? app.server : null,
    sessions.fromSocket,
    { cors: config.corsOrigins, isOwn: makeOwnOriginCheck(config) },
    peerPool,
  )
  const cron = lineOptions.crontab ?? `${crontab}\n${backups.crontab}`
  const jobs = roleParts.jobs
    ? await warnWhileWaiting(log, 'the jobs', startJobs(owner, makeJobHandlers(parts), log, cron, signals))
    : null
  await warnWhileWaiting(log, `port ${config.port}`, app.listen({ host: config.host, port: config.port }))
  // Port 0 means any free port, so the address is known only now.
  const { port } = app.server.address() as AddressInfo
  const address = config.publicUrl ?? `http://${config.host}:${port}`
  deps.publicUrl = address
  if (roleParts.lines) await warnWhileWaiting(log, 'the lines', lines.start())
  const search = roleParts.jobs ? startSearchIndexFlush(owner, 'messages_search', log) : null
  const statistics = roleParts.jobs ? startTableAnalysis(owner, log) : null

  return {
    app,
    deps: deps,
    lines,
    switchboard,
    webhookDispatcher: webhookDispatcher,
    address,
    firstAdmin,
    async close() {
      // The lines are released first: another process takes them over while this one still finishes its work.
      await switchboard.close()
      await webhookDispatcher.close()
      await live.close()
      await conversationPresence.close()
      await app.close()
      backups.close()
      processes.close()
      await jobs?.stop()
      mailer.close()
      await peerPool.end()
      await search?.close()
      await statistics?.close()
      await infrastructure.close()
    },
  }
}
