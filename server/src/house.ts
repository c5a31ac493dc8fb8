import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { makeKeys } from './accounts/doors/keys.ts'
import { makeBackups } from './accounts/platform/backups.ts'
import { sweepHere } from './accounts/presence.ts'
import { seed } from './accounts/seed.ts'
import { makeSessions } from './accounts/sessions.ts'
import {
  buildApp,
  buildWatch,
  crontab,
  isOwnOrigin,
  jobsOf,
  type LineOptions,
  linesOf,
  unanswered,
  version,
} from './app.ts'
import { makeProcesses } from './automation/health/processes.ts'
import { makeReadings } from './automation/health/readings.ts'
import { makeWaiting } from './automation/health/waiting.ts'
import type { Switchboard } from './automation/switchboard.ts'
import { makeTeller, passOn, type Teller } from './automation/webhooks/teller.ts'
import { watchChats } from './desk/chats/typing.ts'
import { watchSeats } from './desk/seats.ts'
import { watchConversations } from './desk/watching.ts'
import { phonesOf } from './directory/contacts/phones.ts'
import { openGround } from './ground.ts'
import { type Clock, systemClock } from './kernel/clock.ts'
import type { Config, ProcessRole } from './kernel/config.ts'
import { openPool } from './kernel/data/database.ts'
import type { Means } from './kernel/data/scope.ts'
import { keepSorted } from './kernel/data/search-index.ts'
import { keepKnown } from './kernel/data/statistics.ts'
import { startJobs } from './kernel/jobs.ts'
import type { Log } from './kernel/log.ts'
import { makeMailer } from './kernel/outgoing/mail.ts'
import { tellWhile } from './kernel/starting.ts'
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

/** What a process of a role does; `web` stands for calls and sockets. */
const partsOf = (role: ProcessRole = 'all') => ({
  web: role === 'all' || role === 'web',
  lines: role === 'all' || role === 'lines',
  jobs: role === 'all' || role === 'jobs',
})

/** Opens everything on a given database and listens. Closing drains: no new calls, jobs finish, then the pools. */
export async function openHouse(
  config: Config,
  databaseUrl: string,
  log: Log,
  clock: Clock = systemClock,
  lineOptions: LineOptions = {},
): Promise<Running> {
  const does = partsOf(config.role)
  const ground = await openGround(config, databaseUrl, log, clock)
  const { means, owner, signals } = ground
  const { live, files } = means
  const sessions = makeSessions(means, signals, config.sessionLife)
  const keys = makeKeys(means, signals)
  const mailer = makeMailer(config, log)
  const firstAdmin = await tellWhile(log, 'the first rows', seed(means, config))
  await tellWhile(log, 'the files of earlier starts', files.tidy())
  const { graphUrl } = config
  const cloud = makeCloud({ means, log, signals, graphUrl, ...(lineOptions.cloud && { pace: lineOptions.cloud }) })
  const { whatsappUrl: url } = config
  const beta = url ? makeLinked({ means, log, url, pace: lineOptions.linked }) : undefined
  const switchboard = linesOf(means, signals, log, lineOptions, { beta, cloud: cloud.make }, does.jobs)
  const lines = switchboard.supervisor
  const teller = does.jobs ? makeTeller(means, log, signals, lineOptions.telling) : passOn(means, log)
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
  const backups = makeBackups(means, config, databaseUrl, log)
  const processes = makeProcesses(live, {
    ...{ holder: lines.holder, version, role: config.role === 'all' ? undefined : config.role, since: new Date() },
    ...{ lines: lines.count, backlog: switchboard.inbox.backlog },
  })
  const waiting = makeWaiting(means)
  const readings = makeReadings(waiting, switchboard, teller, means.clock.now)
  const house = {
    means,
    sessions,
    keys,
    config,
    log,
    mailer,
    phones,
    cloud,
    backups,
    processes,
    waiting,
    readings,
    ready,
  }
  const app = does.web ? await buildApp(house) : await buildWatch(house)
  const missing = does.web ? unanswered(app) : []
  if (missing.length) throw new Error(`Endpoints without a handler: ${missing.join(', ')}`)
  const peerPool = openPool(databaseUrl, log, { role: 'recado_platform', max: 2 })
  live.attach(
    does.web ? app.server : null,
    sessions.fromSocket,
    { cors: config.corsOrigins, isOwn: isOwnOrigin(config) },
    peerPool,
  )
  const cron = lineOptions.crontab ?? `${crontab}\n${backups.crontab}`
  const jobs = does.jobs ? await tellWhile(log, 'the jobs', startJobs(owner, jobsOf(house), log, cron, signals)) : null
  await tellWhile(log, `port ${config.port}`, app.listen({ host: config.host, port: config.port }))
  // Port 0 means "any": only now is the address known.
  const { port } = app.server.address() as AddressInfo
  const address = config.publicUrl ?? `http://${config.host}:${port}`
  means.publicUrl = address
  if (does.lines) await tellWhile(log, 'the lines', lines.start())
  const search = does.jobs ? keepSorted(owner, 'messages_search', log) : null
  const statistics = does.jobs ? keepKnown(owner, log) : null

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
      backups.close()
      processes.close()
      await jobs?.stop()
      mailer.close()
      await peerPool.end()
      await search?.close()
      await statistics?.close()
      await ground.close()
    },
  }
}
