import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import cors, { type FastifyCorsOptions } from '@fastify/cors'
import multipart from '@fastify/multipart'
import { endpoints } from '@recado/contract/api'
import { bodyBytes } from '@recado/contract/kit'
import { serverApi, storageApi } from '@recado/contract/server'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { authRoutes } from './accounts/auth.ts'
import { companyRoutes } from './accounts/companies.ts'
import { auditRoutes } from './accounts/doors/audit.ts'
import { type Keys, keyRoutes } from './accounts/doors/keys.ts'
import { makeRenewOwnSession } from './accounts/ending.ts'
import { invitationRoutes } from './accounts/invitations.ts'
import { moneyJobs } from './accounts/money/jobs.ts'
import { platformMoneyRoutes } from './accounts/money/platform-routes.ts'
import { moneyRoutes } from './accounts/money/routes.ts'
import { passwordResetJobs, passwordResetRoutes } from './accounts/password-reset.ts'
import { planRoutes } from './accounts/plans.ts'
import { announcementRoutes } from './accounts/platform/announcements.ts'
import type { Backups } from './accounts/platform/backups.ts'
import { helpRoutes } from './accounts/platform/helps.ts'
import { platformRoutes } from './accounts/platform/passwords.ts'
import { presenceJobs, watchPresence } from './accounts/presence.ts'
import { makeProof } from './accounts/proof.ts'
import { pushRoutes } from './accounts/push.ts'
import { makeRefreshCookie } from './accounts/refresh-cookie.ts'
import type { Sessions } from './accounts/sessions.ts'
import { settingRoutes } from './accounts/setting-routes.ts'
import type {} from './accounts/tables.ts'
import { makePasskeys, passkeyRoutes } from './accounts/two-factor/passkeys.ts'
import { twoFactorRoutes } from './accounts/two-factor/routes.ts'
import { makeSecondStep } from './accounts/two-factor/second-step.ts'
import { userRoutes } from './accounts/users.ts'
import type { AskPace } from './automation/asking/asking.ts'
import { menuTestRoutes } from './automation/bots/menu-tests.ts'
import type { Crew } from './automation/crew.ts'
import { erasingJobs } from './automation/erasing/erase.ts'
import { erasingRoutes } from './automation/erasing/routes.ts'
import type { Processes } from './automation/health/processes.ts'
import { healthRoutes } from './automation/health/routes.ts'
import type { Waiting } from './automation/health/waiting.ts'
import { webhookJobs } from './automation/machines/deliveries.ts'
import { tryRoutes } from './automation/machines/try.ts'
import { retentionJobs } from './automation/retention/retention.ts'
import { retentionRoutes } from './automation/retention/routes.ts'
import { openSwitchboard, type Switchboard } from './automation/switchboard.ts'
import type {} from './automation/tables.ts'
import type { TellPace } from './automation/webhooks/teller.ts'
import { assistRoutes } from './desk/assist/routes.ts'
import { endCampaignsOfLine } from './desk/campaigns/people.ts'
import { campaignRoutes } from './desk/campaigns/routes.ts'
import { campaignSettingRoutes } from './desk/campaigns/settings.ts'
import { campaignStopRoutes } from './desk/campaigns/stops.ts'
import { leaveChats } from './desk/chats/people.ts'
import { chatRingingJobs } from './desk/chats/ringing.ts'
import { chatRoutes } from './desk/chats/routes.ts'
import { moreFigureRoutes } from './desk/figures/more-routes.ts'
import { figureRoutes } from './desk/figures/routes.ts'
import { figureJobs } from './desk/figures/sums.ts'
import { weeklyJobs } from './desk/figures/weekly.ts'
import { messageRoutes } from './desk/messages/routes.ts'
import { templateRoutes } from './desk/messages/template.ts'
import { noteRoutes } from './desk/notes.ts'
import { noticeRoutes, tellResting, tellTroubled } from './desk/notices.ts'
import { ofContactRoutes } from './desk/of-contact.ts'
import { paperRoutes } from './desk/papers/routes.ts'
import { ringingJobs } from './desk/ringing.ts'
import { scheduleRoutes } from './desk/schedules/routes.ts'
import { endWithLine, tellMoved } from './desk/schedules/write.ts'
import { sendingRoutes } from './desk/sending/routes.ts'
import type {} from './desk/tables.ts'
import { atDesk } from './desk/tickets/at-desk.ts'
import { boardRoutes } from './desk/tickets/board.ts'
import { freeTickets, leaveLine, leaveQueue } from './desk/tickets/left-behind.ts'
import { ticketRoutes } from './desk/tickets/routes.ts'
import { connectionRoutes } from './directory/connections/routes.ts'
import { setState } from './directory/connections/state.ts'
import { checkJobs } from './directory/contact-lists/checks.ts'
import { importJobs } from './directory/contact-lists/imports.ts'
import { contactListRoutes } from './directory/contact-lists/routes.ts'
import { deletedContactJobs } from './directory/contacts/deleted.ts'
import type { Phones } from './directory/contacts/phones.ts'
import { contactRoutes } from './directory/contacts/routes.ts'
import { fileListRoutes } from './directory/file-lists.ts'
import { laneRoutes } from './directory/lanes.ts'
import { callRoutes } from './directory/machines/calls.ts'
import { integrationRoutes } from './directory/machines/integrations.ts'
import { knowledgeJobs } from './directory/machines/knowledge/reading.ts'
import { knowledgeRoutes } from './directory/machines/knowledge/routes.ts'
import { promptRoutes } from './directory/machines/prompts.ts'
import { integrationToolRoutes } from './directory/machines/trying.ts'
import { queueMenuRoutes } from './directory/queues/menu.ts'
import { queueOptionRoutes } from './directory/queues/options.ts'
import { queueRoutes } from './directory/queues/queues.ts'
import { dropOrphans, quickMessageRoutes } from './directory/quick-messages.ts'
import { sandboxRoutes } from './directory/sandbox/routes.ts'
import type {} from './directory/tables.ts'
import { tagRoutes } from './directory/tags.ts'
import { webhookRoutes } from './directory/webhooks/hooks.ts'
import { webhookToolRoutes } from './directory/webhooks/log.ts'
import { minutes, systemClock } from './kernel/clock.ts'
import type { Config } from './kernel/config.ts'
import { type Means, Scope } from './kernel/data/scope.ts'
import type { Listeners } from './kernel/events.ts'
import { makeReader } from './kernel/files/apart.ts'
import { dropAllFiles, fileJobs } from './kernel/files/media.ts'
import { storageUsage } from './kernel/files/storage.ts'
import { readBodies } from './kernel/http/bodies.ts'
import { docsStyle } from './kernel/http/docs.ts'
import type { Docs, DocsTask } from './kernel/http/docs-worker.ts'
import { answerErrors, answerFailure, answerNoRequest, mount, route } from './kernel/http/http.ts'
import { makeBucket } from './kernel/http/limits.ts'
import { type Reading, serveMetrics } from './kernel/http/metrics.ts'
import { makeOwnOrigins, type OwnOrigins } from './kernel/http/origins.ts'
import { packedPage, packReplies } from './kernel/http/packing.ts'
import { requestIds, sayRequestIds } from './kernel/http/request-id.ts'
import { guardHeaders, serveFiles, serveWeb } from './kernel/http/web.ts'
import type { JobHandlers } from './kernel/jobs.ts'
import type { Signals } from './kernel/live/signals.ts'
import type { Log } from './kernel/log.ts'
import type { Mailer } from './kernel/outgoing/mail.ts'
import type { LinkedPace } from './lines/baileys/link/link.ts'
import type { Cloud } from './lines/cloud/line.ts'
import type { CloudPace } from './lines/cloud/link.ts'
import { serveCloudWebhook } from './lines/cloud/webhook.ts'
import type { ChatId, InboundEvent, LineRow, MakeLine } from './lines/line.ts'
import { makeSandbox } from './lines/sandbox/line.ts'
import type { SandboxPace } from './lines/sandbox/link.ts'
import type { Pace } from './lines/supervisor.ts'
import type {} from './lines/tables.ts'

export const version = '6.0.0'

type House = {
  means: Means
  sessions: Sessions
  keys: Keys
  config: Config
  log: Log
  mailer: Mailer
  phones: Phones
  cloud: Cloud
  backups: Backups
  processes: Processes
  /** What waits in all companies. */
  waiting: () => Promise<Waiting>
  /** What Prometheus reads. */
  readings: () => Promise<Reading[]>
  ready: () => Promise<boolean>
}

/** Pages of these may use our cookies and open sockets. */
export const isOwnOrigin = ({ publicUrl, corsOrigins }: Config): OwnOrigins =>
  makeOwnOrigins([...(publicUrl ? [new URL(publicUrl).origin] : []), ...corsOrigins])

/** The only file that knows every floor: which routes there are, which jobs run, who listens to whom. */
function routes({ means, sessions, config, mailer, phones, cloud, ...house }: House) {
  const cookieRules = {
    secure: (config.publicUrl ?? '').startsWith('https'),
    crossSite: config.corsOrigins.length > 0,
    isOwnOrigin: isOwnOrigin(config),
  }
  const cookie = makeRefreshCookie(cookieRules)
  const renewOwnSession = makeRenewOwnSession(sessions, cookie)
  const passkeys = makePasskeys(means.clock)
  const secondStep = makeSecondStep(means.clock, passkeys)
  const prove = makeProof(means.clock)
  return [
    ...authRoutes(sessions, means.clock, cookie, secondStep, passkeys),
    ...twoFactorRoutes(secondStep, prove, passkeys, renewOwnSession),
    ...passkeyRoutes(passkeys, prove, renewOwnSession),
    ...passwordResetRoutes(means.clock, mailer.delivery),
    ...invitationRoutes(means.clock),
    ...companyRoutes(means.clock, mailer.delivery),
    ...planRoutes,
    ...userRoutes(means.clock, mailer.delivery, prove, renewOwnSession),
    ...platformRoutes,
    ...settingRoutes(secondStep),
    ...retentionRoutes,
    ...pushRoutes,
    ...connectionRoutes(means.clock),
    ...queueRoutes,
    ...queueOptionRoutes,
    ...queueMenuRoutes,
    ...menuTestRoutes,
    ...sandboxRoutes,
    ...contactRoutes(phones, atDesk),
    ...erasingRoutes,
    ...tagRoutes,
    ...quickMessageRoutes,
    ...fileListRoutes,
    ...helpRoutes,
    ...announcementRoutes,
    ...ticketRoutes(phones),
    ...boardRoutes,
    ...laneRoutes,
    ...messageRoutes,
    ...paperRoutes,
    ...templateRoutes(cloud.templates),
    ...scheduleRoutes(cloud.templates),
    ...contactListRoutes,
    ...campaignRoutes(cloud.templates),
    ...campaignSettingRoutes,
    ...campaignStopRoutes,
    ...sendingRoutes(means.clock, phones, cloud.templates),
    ...noteRoutes,
    ...noticeRoutes,
    ...ofContactRoutes,
    ...chatRoutes,
    ...promptRoutes,
    ...knowledgeRoutes,
    ...assistRoutes(means.clock),
    ...integrationRoutes,
    ...integrationToolRoutes,
    ...callRoutes,
    ...tryRoutes,
    ...keyRoutes,
    ...auditRoutes,
    ...figureRoutes(),
    ...moreFigureRoutes(),
    ...webhookRoutes,
    ...webhookToolRoutes,
    ...moneyRoutes(means.clock),
    ...platformMoneyRoutes(means.clock),
    ...healthRoutes(house.processes, house.waiting, house.backups),
    route(storageApi.usage, (scope) => storageUsage(scope)),
    route(serverApi.version, () => ({ version, uploadLimit: config.uploadLimit })),
  ]
}

/** How lines behave where the usual is not wanted: tests have no minutes to wait. */
export type LineOptions = {
  pace?: Partial<Pace>
  sandbox?: Partial<SandboxPace>
  cloud?: Partial<CloudPace>
  linked?: Partial<LinkedPace>
  hear?: (row: LineRow, events: InboundEvent[]) => Promise<void>
  typing?: (row: LineRow, chat: ChatId, on: boolean) => void
  /** Others than the usual ones, where tests have bots and clocks of their own. */
  crew?: Partial<Crew>
  asking?: Partial<AskPace>
  telling?: Partial<TellPace>
  /** Nothing by the wall clock, where a test says itself when it is time. */
  crontab?: ''
}

/** The phones, and where what they say goes. */
export function linesOf(
  means: Means,
  signals: Signals,
  log: Log,
  options: LineOptions,
  { beta, cloud }: { beta?: MakeLine | undefined; cloud?: MakeLine | undefined } = {},
  byItself = true,
): Switchboard {
  const sandbox = makeSandbox({ means, log, signals, ...(options.sandbox && { pace: options.sandbox }) })
  return openSwitchboard({
    means,
    log,
    signals,
    makers: { sandbox, beta, cloud },
    byItself,
    state: (row, state) => setState(means, row, state),
    ...(options.typing && { typing: options.typing }),
    ...(options.hear && { hear: options.hear }),
    ...(options.pace && { pace: options.pace }),
    ...(options.crew && { crew: options.crew }),
    ...(options.asking && { asking: options.asking }),
  })
}

function listeners({ means }: House): Listeners {
  return {
    'company.deleted': [({ companyId }) => dropAllFiles(new Scope(means, { companyId, wide: true }))],
    'user.deleted': [
      ({ companyId }) => dropOrphans(new Scope(means, { companyId })),
      ({ companyId }) => freeTickets(means, companyId),
      ({ companyId }) => leaveChats(means, companyId),
    ],
    'queue.deleted': [(gone) => leaveQueue(means, gone)],
    'ticket.moved': [({ companyId, ticketId, before }) => tellMoved(new Scope(means, { companyId }), ticketId, before)],
    'integration.rests': [({ companyId, ...what }) => tellResting(new Scope(means, { companyId }), what)],
    'webhook.troubled': [({ companyId, ...what }) => tellTroubled(new Scope(means, { companyId }), what)],
    'line.deleted': [
      (gone) => leaveLine(means, gone),
      ({ companyId }) => endWithLine(new Scope(means, { companyId })),
      ({ companyId }) => endCampaignsOfLine(new Scope(means, { companyId })),
    ],
  }
}

export function jobsOf(house: House): JobHandlers {
  const heard = listeners(house)
  return {
    event: async ({ event, payload }) => {
      // The event names its payload; the compiler cannot follow that through the map.
      for (const listen of heard[event] ?? []) await listen(payload as never)
    },
    ...passwordResetJobs(house.means, house.mailer),
    ...presenceJobs(house.means.live, house.means, house.sessions),
    ...fileJobs(house.means),
    ...ringingJobs(house.means),
    ...chatRingingJobs(house.means),
    ...checkJobs(house.means, house.phones),
    ...importJobs(house.means),
    ...knowledgeJobs(house.means),
    ...webhookJobs(house.means),
    ...erasingJobs(house.means),
    ...retentionJobs(house.means),
    ...figureJobs(house.means),
    ...deletedContactJobs(house.means),
    ...weeklyJobs(house.means),
    ...moneyJobs(house.means),
    ...house.backups.jobs,
  }
}

/** minute hour day month weekday task */
export const crontab = [
  ...['presence:sweep', 'figures:sum', 'money:poll'].map((task) => `* * * * * ${task} ?fill=1m&max=1`),
  '7 * * * * money:day ?fill=2h&max=3',
  '3 * * * * figures:weekly ?fill=2h&max=3',
  '37 5 * * * retention:night ?fill=20h&max=2',
  '47 4 * * * files:recount ?fill=20h&max=2',
  '17 4 * * * contacts:purge ?fill=20h&max=2',
].join('\n')

function bareApp({ config, log }: House): FastifyInstance {
  return Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(config.trustProxy),
    // Its id comes into every line by itself (kernel/trace.ts).
    childLoggerFactory: (logger) => logger,
    // Proxies of our own network are believed, what a client wrote into the header before them is not: limits count per address.
    trustProxy: config.trustProxy && ['loopback', 'linklocal', 'uniquelocal'],
    // Of what is no endpoint of the contract; each of those has its own.
    bodyLimit: bodyBytes.anonymous,
    // The largest file over a slow line takes less; what has not come by then never ends.
    requestTimeout: minutes(20),
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 500 },
    forceCloseConnections: true,
    frameworkErrors: answerFailure,
    clientErrorHandler: answerNoRequest,
  })
}

/** What watches a process, whatever else it answers. */
function serveWatch(app: FastifyInstance, { means, config, backups, readings, ready }: House): void {
  serveMetrics(app, config.metricsToken, means.live, backups.state, readings)
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (!(await ready())) return reply.code(503).send({ error: 'ERR_NOT_READY' })
    const backup = await backups.state()
    // Why is in the log and in the mail: whoever asks here is anybody.
    return { status: 'ready', ...(backup && { backup: { lastAt: backup.lastAt, ok: backup.error === null } }) }
  })
}

/** For a process that nobody calls but who watches it. */
export async function buildWatch(house: House): Promise<FastifyInstance> {
  const app = bareApp(house)
  answerErrors(app)
  guardHeaders(app)
  serveWatch(app, house)
  return app
}

/** Of one address: an office whose browsers all come back at once has twice as many for a moment. */
const anonymousPerSecond = 50

export async function buildApp(house: House): Promise<FastifyInstance> {
  const { means, sessions, config, log } = house
  const app = bareApp(house)
  sayRequestIds(app)
  answerErrors(app)
  readBodies(app, config.bodyTimeout)
  serveWatch(app, house)
  guardHeaders(app)
  await app.register(cors, () => crossOrigin(config.corsOrigins))
  await app.register(cookie)
  await app.register(multipart)
  packReplies(app)
  // What is answered while it is read from the disk.
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'], globalDecompression: false })
  await serveWeb(app, config.webDir)
  serveFiles(app, means.files)
  serveDocs(app, config.publicUrl ?? '/')
  await serveCloudWebhook(app, { means, log, receive: house.cloud.receive })
  const programs = makeBucket(means.clock, config.apiRate)
  const anonymous = makeBucket(systemClock, anonymousPerSecond)
  mount(app, routes(house), means, { ...sessions, ...house.keys, programs, anonymous })
  watchPresence(means.live, means)
  app.addHook('onResponse', async (request, reply) => {
    if (reply.statusCode >= 500 || log.isLevelEnabled('debug'))
      request.log.info({ trace: request.id, req: request, res: reply, ms: Math.round(reply.elapsedTime) }, 'answered')
  })
  return app
}

const methods = ['GET', 'POST', 'PUT', 'DELETE']
const told = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After']
/**
 * Which pages of elsewhere may call: those that were named, with the session they have here; and what is for programs,
 * any, but without a session: who calls brings a key.
 */
function crossOrigin(named: string[]) {
  return (request: FastifyRequest, decide: (error: Error | null, options: FastifyCorsOptions) => void) => {
    const { origin = '' } = request.headers
    const isForPrograms = request.url.startsWith('/api/') && !named.includes(origin)
    if (isForPrograms) decide(null, { origin: '*', methods, exposedHeaders: told })
    else
      decide(
        null,
        named.length ? { origin: named, credentials: true, methods, exposedHeaders: told } : { origin: false },
      )
  }
}

const makeDocs = makeReader<DocsTask, Docs>(new URL('./kernel/http/docs-worker.ts', import.meta.url))

function serveDocs(app: FastifyInstance, server: string): void {
  let made: Promise<Docs> | undefined
  const docs = (): Promise<Docs> => {
    made ??= makeDocs({ version, server }, { ms: 60_000, heapMb: 256, waiting: 1 }).catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
  const page = packedPage('text/html; charset=utf-8', async () => (await docs()).page)
  const json = packedPage('application/json; charset=utf-8', async () => (await docs()).json)
  app.get('/docs', page)
  app.get('/docs/json', json)
  app.get('/docs/style.css', async (_request, reply) => reply.type('text/css').send(docsStyle))
}

/** Every endpoint of the contract has a handler, or the house does not start. */
export function unanswered(app: FastifyInstance): string[] {
  return endpoints.filter((e) => !app.hasRoute({ method: e.method, url: e.path })).map((e) => `${e.method} ${e.path}`)
}
