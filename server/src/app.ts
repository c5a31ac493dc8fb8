import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import cors, { type FastifyCorsOptions } from '@fastify/cors'
import multipart from '@fastify/multipart'
import { endpoints } from '@recado/contract/api'
import { bodyLimitBytes } from '@recado/contract/endpoint'
import { linePasskeyPath, whatsappPasskeySite } from '@recado/contract/health/line-passkeys'
import { serverApi, storageApi } from '@recado/contract/server'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { watchActivity } from './accounts/activity.ts'
import { skillRoutes } from './accounts/agents/skills.ts'
import { type ApiKeyAccess, apiKeyRoutes } from './accounts/api-access/api-keys.ts'
import { auditRoutes } from './accounts/api-access/audit.ts'
import { authRoutes } from './accounts/auth.ts'
import { companyRoutes } from './accounts/companies.ts'
import { makePasswordConfirmation } from './accounts/confirm-password.ts'
import { makeRenewOwnSession } from './accounts/end-sessions.ts'
import { invitationRoutes } from './accounts/invitations.ts'
import { moneyJobs } from './accounts/money/jobs.ts'
import { messagePriceRoutes } from './accounts/money/message-prices.ts'
import { platformMoneyRoutes } from './accounts/money/platform-routes.ts'
import { moneyRoutes } from './accounts/money/routes.ts'
import { passwordResetJobs, passwordResetRoutes } from './accounts/password-reset.ts'
import { planRoutes } from './accounts/plan-routes.ts'
import { announcementRoutes } from './accounts/platform/announcements.ts'
import type { Backups } from './accounts/platform/backups.ts'
import { helpRoutes } from './accounts/platform/helps.ts'
import { passkeyLinkingRoutes } from './accounts/platform/passkey-linking.ts'
import { platformSettingRoutes } from './accounts/platform/password-rules.ts'
import { platformStepRoutes } from './accounts/platform/platform-steps.ts'
import { presenceJobs, watchPresence } from './accounts/presence.ts'
import { pushRoutes } from './accounts/push-subscriptions.ts'
import { makeRefreshCookie } from './accounts/refresh-cookie.ts'
import type { Sessions } from './accounts/sessions.ts'
import { settingRoutes } from './accounts/setting-routes.ts'
import type {} from './accounts/tables.ts'
import { makePasskeys, passkeyRoutes } from './accounts/two-factor/passkeys.ts'
import { twoFactorRoutes } from './accounts/two-factor/routes.ts'
import { makeSecondStep } from './accounts/two-factor/second-step.ts'
import { userRoutes } from './accounts/users.ts'
import { promptTryRoutes } from './automation/ai/try-routes.ts'
import type { BotRequestLimits } from './automation/bot-requests/runner.ts'
import { menuTestRoutes } from './automation/bots/menu-test-routes.ts'
import { erasureJobs } from './automation/erasure/erase.ts'
import { erasureRoutes } from './automation/erasure/routes.ts'
import { flowDryRunJobs } from './automation/flows/dry-run.ts'
import { flowRoutes } from './automation/flows/flow-routes.ts'
import { flowNightJobs } from './automation/flows/forget-old-runs.ts'
import { endSequencesOfOptedOut } from './automation/flows/runs/opted-out.ts'
import { startFlowInTicket } from './automation/flows/start-by-user.ts'
import type { Backlog } from './automation/health/backlog.ts'
import type { ProcessMonitor } from './automation/health/processes.ts'
import { healthRoutes } from './automation/health/routes.ts'
import { webhookDeliveryJobs } from './automation/integrations/webhook-deliveries.ts'
import type { AutomationRegistry } from './automation/registry.ts'
import { retentionJobs } from './automation/retention/retention.ts'
import { retentionRoutes } from './automation/retention/routes.ts'
import { liveRoutes } from './automation/routing/live.ts'
import { nextAgentRoutes } from './automation/routing/next-agent.ts'
import { offerRoutes } from './automation/routing/offer-routes.ts'
import { whatIfRoutes } from './automation/routing/what-if.ts'
import { openSwitchboard, type Switchboard } from './automation/switchboard.ts'
import type {} from './automation/tables.ts'
import type { DispatchTimings } from './automation/webhooks/webhook-dispatcher.ts'
import { assistRoutes } from './desk/ai/routes.ts'
import { pauseCampaignsWithoutLine } from './desk/campaigns/contact-changes.ts'
import { optOutRoutes } from './desk/campaigns/opt-outs.ts'
import { campaignRoutes } from './desk/campaigns/routes.ts'
import { campaignSettingRoutes } from './desk/campaigns/settings.ts'
import { reassignOrphanedChats } from './desk/chats/members.ts'
import { chatPushJobs } from './desk/chats/push.ts'
import { chatRoutes } from './desk/chats/routes.ts'
import { deskContactHooks } from './desk/composition/contact-hooks.ts'
import {
  handleLineDeleted,
  handleQueueDeleted,
  returnTicketsWithoutAgent,
} from './desk/composition/deletion-handlers.ts'
import { lineMoveRoutes } from './desk/composition/line-move-routes.ts'
import { messageRoutes } from './desk/composition/message-routes.ts'
import { contactHistoryRoutes } from './desk/contact-history.ts'
import { draftRoutes } from './desk/drafts.ts'
import { exportRoutes } from './desk/exports/routes.ts'
import { firstStepRoutes } from './desk/first-steps.ts'
import { deleteOrphanedMacros } from './desk/macros/macros.ts'
import { macroRoutes } from './desk/macros/routes.ts'
import { macroJobs } from './desk/macros/runs.ts'
import { templateRoutes } from './desk/messages/template.ts'
import { noteRoutes } from './desk/notes.ts'
import { makeNumberCheckLimit } from './desk/public-api/numbers.ts'
import { publicApiRoutes } from './desk/public-api/routes.ts'
import { pushJobs } from './desk/push.ts'
import { reportRoutes } from './desk/reports/routes.ts'
import { reportSectionRoutes } from './desk/reports/section-routes.ts'
import { reportJobs } from './desk/reports/sums.ts'
import { weeklyReportJobs } from './desk/reports/weekly.ts'
import { scheduleRoutes } from './desk/schedules/routes.ts'
import { failSchedulesWithoutLine, publishSchedulesOfMovedTicket } from './desk/schedules/write.ts'
import type {} from './desk/tables.ts'
import { taskRoutes } from './desk/tasks.ts'
import { ticketViewRoutes } from './desk/ticket-views/routes.ts'
import { deleteOrphanedViews } from './desk/ticket-views/views.ts'
import {
  noticeRoutes,
  notifyIntegrationPaused,
  notifyLineHealth,
  notifyWebhookTrouble,
} from './desk/tickets/base/notices.ts'
import { ticketBatchRoutes } from './desk/tickets/batches/routes.ts'
import { ticketBatchJobs } from './desk/tickets/batches/run-batch.ts'
import { boardRoutes } from './desk/tickets/board.ts'
import { moveTicketsToLine } from './desk/tickets/move-line.ts'
import { ticketRoutes } from './desk/tickets/routes.ts'
import { refreshRoutingNeeds } from './desk/tickets/routing-needs.ts'
import { moveWaitingIntoQueue } from './desk/tickets/waiting-without-queue.ts'
import { adRoutes } from './directory/ads.ts'
import { knowledgeJobs } from './directory/ai/knowledge/knowledge-jobs.ts'
import { knowledgeRoutes } from './directory/ai/knowledge/routes.ts'
import { promptRoutes } from './directory/ai/prompts.ts'
import { linePasskeyRoutes } from './directory/connections/line-passkeys.ts'
import { lineSignupJobs, lineSignupRoutes } from './directory/connections/line-signup.ts'
import { saveLineState } from './directory/connections/line-state.ts'
import { saveReachOutLock } from './directory/connections/reach-out-lock.ts'
import { connectionRoutes } from './directory/connections/routes.ts'
import { saveUnreadableSince } from './directory/connections/unreadable-since.ts'
import { publishLineHealth } from './directory/connections/view.ts'
import { webVersionJobs, webVersionRoutes } from './directory/connections/web-version.ts'
import { listImportJobs } from './directory/contact-lists/list-imports.ts'
import { numberCheckJobs } from './directory/contact-lists/number-checks.ts'
import { contactListRoutes } from './directory/contact-lists/routes.ts'
import { deletedContactJobs } from './directory/contacts/deleted-contacts.ts'
import { duplicateRoutes } from './directory/contacts/duplicate-routes.ts'
import type { PhoneQueries } from './directory/contacts/phone-queries.ts'
import { contactRoutes } from './directory/contacts/routes.ts'
import { fileListRoutes } from './directory/file-lists.ts'
import { externalCallRoutes } from './directory/integrations/external-calls.ts'
import { integrationRoutes } from './directory/integrations/integrations.ts'
import { integrationToolRoutes } from './directory/integrations/test-integration.ts'
import { laneRoutes } from './directory/lanes.ts'
import { queueMenuRoutes } from './directory/queues/queue-menu.ts'
import { queueOptionRoutes } from './directory/queues/queue-options.ts'
import { queueRoutes } from './directory/queues/queues.ts'
import { deleteOrphanedQuickMessages, quickMessageRoutes } from './directory/quick-messages.ts'
import { sandboxRoutes } from './directory/sandbox/routes.ts'
import type {} from './directory/tables.ts'
import { tagRoutes } from './directory/tags.ts'
import { webhookToolRoutes } from './directory/webhooks/delivery-log.ts'
import { webhookRoutes } from './directory/webhooks/webhooks.ts'
import { minutes, systemClock } from './kernel/clock.ts'
import type { Config } from './kernel/config.ts'
import { type Deps, Scope } from './kernel/data/scope.ts'
import type { EventListeners } from './kernel/events.ts'
import { makeWorkerQueue } from './kernel/files/in-worker.ts'
import { fileJobs, scheduleRemovalOfAllFiles } from './kernel/files/media.ts'
import { getStorageUsage } from './kernel/files/storage-usage.ts'
import { docsStylesheet } from './kernel/http/api-docs.ts'
import type { DocsTask, RenderedDocs } from './kernel/http/api-docs-worker.ts'
import { registerBodyParsers } from './kernel/http/body-parsers.ts'
import { compressReplies, serveCompressedPage } from './kernel/http/compression.ts'
import { type MetricReading, serveMetrics } from './kernel/http/metrics.ts'
import { makeOriginCheck, type OriginCheck } from './kernel/http/origins.ts'
import { makeTokenBucket } from './kernel/http/rate-limits.ts'
import { makeRequestIdGenerator, sendRequestIdHeader } from './kernel/http/request-id.ts'
import {
  mountRoutes,
  registerErrorHandlers,
  replyToMalformedRequest,
  replyWithError,
  route,
} from './kernel/http/routes.ts'
import { serveStoredFiles, serveWebApp, setSecurityHeaders } from './kernel/http/web-app.ts'
import type { JobHandlers } from './kernel/jobs.ts'
import type { Signals } from './kernel/live/signals.ts'
import type { Log } from './kernel/log.ts'
import type { Mailer } from './kernel/outgoing/mail.ts'
import type { LinkedTimings } from './lines/baileys/link/phone-link.ts'
import type { WebVersions } from './lines/baileys/link/web-version.ts'
import type { CloudTimings } from './lines/cloud/cloud-link.ts'
import type { CloudProvider } from './lines/cloud/provider.ts'
import { serveCloudWebhook } from './lines/cloud/webhook.ts'
import type { ChatId, InboundEvent, LineRow, MakeLine } from './lines/line.ts'
import { makeSandboxProvider } from './lines/sandbox/provider.ts'
import type { SandboxTimings } from './lines/sandbox/sandbox-link.ts'
import type { SupervisorTimings } from './lines/supervisor.ts'
import type {} from './lines/tables.ts'

export const appVersion = '6.0.0'

type AppParts = {
  deps: Deps
  sessions: Sessions
  keys: ApiKeyAccess
  config: Config
  log: Log
  mailer: Mailer
  phones: PhoneQueries
  cloud: CloudProvider
  versions: WebVersions
  backups: Backups
  processes: ProcessMonitor
  /** The backlog of all companies. */
  readBacklog: () => Promise<Backlog>
  /** The Prometheus metrics. */
  readMetrics: () => Promise<MetricReading[]>
  isReady: () => Promise<boolean>
}

/** Pages of these origins may use our cookies and open sockets. */
export const makeOwnOriginCheck = ({ publicUrl, corsOrigins }: Config): OriginCheck =>
  makeOriginCheck([...(publicUrl ? [new URL(publicUrl).origin] : []), ...corsOrigins])

/** The only file that depends on every layer: routes, jobs and event listeners are connected here. */
function makeRoutes({ deps, sessions, config, mailer, phones, cloud, ...parts }: AppParts) {
  const cookieRules = {
    isSecure: (config.publicUrl ?? '').startsWith('https'),
    isCrossSite: config.corsOrigins.length > 0,
    isOwnOrigin: makeOwnOriginCheck(config),
  }
  const cookie = makeRefreshCookie(cookieRules)
  const renewOwnSession = makeRenewOwnSession(sessions, cookie)
  const passkeys = makePasskeys(deps.clock)
  const secondStep = makeSecondStep(deps.clock, passkeys)
  const prove = makePasswordConfirmation(deps.clock)
  const numberCheckLimit = makeNumberCheckLimit(deps.clock)
  return [
    ...authRoutes(sessions, deps.clock, cookie, secondStep, passkeys),
    ...twoFactorRoutes(secondStep, prove, passkeys, renewOwnSession),
    ...passkeyRoutes(passkeys, prove, renewOwnSession),
    ...passwordResetRoutes(deps.clock, mailer.delivery),
    ...invitationRoutes(deps.clock),
    ...companyRoutes(deps.clock, mailer.delivery),
    ...planRoutes,
    ...userRoutes(deps.clock, mailer.delivery, prove, renewOwnSession),
    ...platformSettingRoutes,
    ...platformStepRoutes(config, mailer.delivery),
    ...settingRoutes(secondStep),
    ...retentionRoutes,
    ...pushRoutes,
    ...connectionRoutes(deps.clock),
    ...webVersionRoutes(parts.versions, config, parts.log),
    ...passkeyLinkingRoutes,
    ...linePasskeyRoutes(deps.clock),
    ...adRoutes,
    ...messagePriceRoutes,
    ...lineMoveRoutes,
    ...lineSignupRoutes(cloud.signup),
    ...queueRoutes,
    ...queueOptionRoutes,
    ...queueMenuRoutes,
    ...menuTestRoutes,
    ...sandboxRoutes,
    ...contactRoutes(phones, deskContactHooks),
    ...duplicateRoutes(deskContactHooks),
    ...erasureRoutes,
    ...tagRoutes,
    ...skillRoutes,
    ...quickMessageRoutes,
    ...fileListRoutes,
    ...helpRoutes,
    ...announcementRoutes,
    ...ticketBatchRoutes,
    ...macroRoutes(startFlowInTicket),
    ...flowRoutes({ phones, numberCheckLimit, callsPerFlow: makeTokenBucket(deps.clock, config.apiRate) }),
    ...ticketRoutes(phones),
    ...ticketViewRoutes,
    ...boardRoutes,
    ...liveRoutes,
    ...offerRoutes,
    ...whatIfRoutes,
    ...nextAgentRoutes,
    ...laneRoutes,
    ...messageRoutes,
    ...exportRoutes,
    ...templateRoutes(cloud.loadTemplates),
    ...scheduleRoutes(cloud.loadTemplates),
    ...contactListRoutes,
    ...campaignRoutes(cloud.loadTemplates),
    ...campaignSettingRoutes,
    ...optOutRoutes(endSequencesOfOptedOut),
    ...publicApiRoutes(phones, numberCheckLimit, cloud.loadTemplates),
    ...noteRoutes,
    ...noticeRoutes,
    ...firstStepRoutes,
    ...draftRoutes,
    ...taskRoutes,
    ...contactHistoryRoutes,
    ...chatRoutes,
    ...promptRoutes,
    ...knowledgeRoutes,
    ...assistRoutes(deps.clock),
    ...integrationRoutes,
    ...integrationToolRoutes,
    ...externalCallRoutes,
    ...promptTryRoutes,
    ...apiKeyRoutes,
    ...auditRoutes,
    ...reportRoutes(),
    ...reportSectionRoutes(),
    ...webhookRoutes,
    ...webhookToolRoutes,
    ...moneyRoutes(deps.clock),
    ...platformMoneyRoutes(deps.clock),
    ...healthRoutes(parts.processes, parts.readBacklog, parts.backups),
    route(storageApi.usage, (scope) => getStorageUsage(scope)),
    route(serverApi.root, () => ({ version: appVersion })),
    route(serverApi.version, () => ({ version: appVersion, uploadLimit: config.uploadLimit })),
  ]
}

/** Overrides for lines in tests, which cannot wait for minutes. */
export type LineOptions = {
  pace?: Partial<SupervisorTimings>
  sandbox?: Partial<SandboxTimings>
  cloud?: Partial<CloudTimings>
  linked?: Partial<LinkedTimings>
  receive?: (row: LineRow, events: InboundEvent[]) => Promise<void>
  typing?: (row: LineRow, chat: ChatId, on: boolean) => void
  /** Overrides for tests with their own bots and timers. */
  automations?: Partial<AutomationRegistry>
  botRequestLimits?: Partial<BotRequestLimits>
  dispatchTimings?: Partial<DispatchTimings>
  /** Empty: the clock starts no job; the test starts jobs itself. */
  crontab?: ''
}

/** Connects the phones with the handlers of their events. */
export function makeLines(
  deps: Deps,
  signals: Signals,
  log: Log,
  options: LineOptions,
  { beta, cloud }: { beta?: MakeLine | undefined; cloud?: MakeLine | undefined } = {},
  byItself = true,
): Switchboard {
  const sandbox = makeSandboxProvider({ deps: deps, log, signals, ...(options.sandbox && { pace: options.sandbox }) })
  return openSwitchboard({
    deps: deps,
    log,
    signals,
    makers: { sandbox, beta, cloud },
    runsAutomations: byItself,
    reportState: (row, state) => saveLineState(deps, row, state),
    reportReachOutLock: (row, until) => saveReachOutLock(deps, row, until),
    reportUnreadable: (row, since) => saveUnreadableSince(deps, row, since),
    ...(options.typing && { reportTyping: options.typing }),
    ...(options.receive && { receive: options.receive }),
    ...(options.pace && { pace: options.pace }),
    ...(options.automations && { automations: options.automations }),
    ...(options.botRequestLimits && { botRequestLimits: options.botRequestLimits }),
  })
}

function makeEventListeners({ deps }: AppParts): EventListeners {
  return {
    'company.deleted': [({ companyId }) => scheduleRemovalOfAllFiles(new Scope(deps, { companyId, wide: true }))],
    'user.deleted': [
      ({ companyId }) => deleteOrphanedQuickMessages(new Scope(deps, { companyId })),
      ({ companyId }) => deleteOrphanedViews(new Scope(deps, { companyId })),
      ({ companyId }) => deleteOrphanedMacros(new Scope(deps, { companyId })),
      ({ companyId }) => returnTicketsWithoutAgent(deps, companyId),
      ({ companyId }) => reassignOrphanedChats(deps, companyId),
    ],
    'user.deactivated': [({ companyId, userId }) => returnTicketsWithoutAgent(deps, companyId, userId)],
    'queue.takes-waiting': [(event) => moveWaitingIntoQueue(deps, event)],
    'routing.needs-changed': [(changed) => refreshRoutingNeeds(deps, changed)],
    'queue.deleted': [(gone) => handleQueueDeleted(deps, gone)],
    'ticket.moved': [
      ({ companyId, ticketId, before }) =>
        publishSchedulesOfMovedTicket(new Scope(deps, { companyId }), ticketId, before),
    ],
    'integration.rests': [({ companyId, ...what }) => notifyIntegrationPaused(new Scope(deps, { companyId }), what)],
    'webhook.troubled': [({ companyId, ...what }) => notifyWebhookTrouble(new Scope(deps, { companyId }), what)],
    'line.health': [
      ({ companyId, whatsappId }) => publishLineHealth(new Scope(deps, { companyId }), whatsappId),
      async ({ companyId, whatsappId, isNotified }) => {
        if (isNotified) await notifyLineHealth(new Scope(deps, { companyId }), whatsappId)
      },
    ],
    'line.moved': [(event) => moveTicketsToLine(deps, event)],
    'line.deleted': [
      (gone) => handleLineDeleted(deps, gone),
      ({ companyId }) => failSchedulesWithoutLine(new Scope(deps, { companyId })),
      ({ companyId }) => pauseCampaignsWithoutLine(new Scope(deps, { companyId })),
    ],
  }
}

export function makeJobHandlers(parts: AppParts): JobHandlers {
  const listeners = makeEventListeners(parts)
  return {
    event: async ({ event, payload }) => {
      // Each event name determines its payload type, but the compiler cannot follow that through the map.
      for (const listen of listeners[event] ?? []) await listen(payload as never)
    },
    ...passwordResetJobs(parts.deps, parts.mailer),
    ...presenceJobs(parts.deps.live, parts.deps, parts.sessions),
    ...fileJobs(parts.deps),
    ...pushJobs(parts.deps),
    ...chatPushJobs(parts.deps),
    ...numberCheckJobs(parts.deps, parts.phones),
    ...listImportJobs(parts.deps),
    ...ticketBatchJobs(parts.deps, startFlowInTicket),
    ...macroJobs(parts.deps, startFlowInTicket),
    ...flowDryRunJobs(parts.deps),
    ...knowledgeJobs(parts.deps),
    ...webhookDeliveryJobs(parts.deps),
    ...erasureJobs(parts.deps),
    ...flowNightJobs(parts.deps),
    ...retentionJobs(parts.deps),
    ...reportJobs(parts.deps),
    ...deletedContactJobs(parts.deps),
    ...weeklyReportJobs(parts.deps),
    ...moneyJobs(parts.deps),
    ...webVersionJobs(parts.deps),
    ...lineSignupJobs(parts.deps),
    ...parts.backups.jobs,
  }
}

/** Fields: minute hour day month weekday task. */
export const crontab = [
  ...['presence:sweep', 'figures:sum', 'money:poll'].map((task) => `* * * * * ${task} ?fill=1m&max=1`),
  '7 * * * * money:day ?fill=2h&max=3',
  '3 * * * * figures:weekly ?fill=2h&max=3',
  '12 5 * * * flows:night ?fill=20h&max=2',
  '37 5 * * * retention:night ?fill=20h&max=2',
  '47 4 * * * files:recount ?fill=20h&max=2',
  '17 4 * * * contacts:purge ?fill=20h&max=2',
].join('\n')

function makeFastify({ config, log }: AppParts): FastifyInstance {
  return Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: makeRequestIdGenerator(config.trustProxy),
    // kernel/trace.ts adds the request id to every log entry.
    childLoggerFactory: (logger) => logger,
    // Trusts proxies of our own network, but not addresses that a client wrote into the header: limits count
    // per address.
    trustProxy: config.trustProxy && ['loopback', 'linklocal', 'uniquelocal'],
    // The body limit of routes outside the contract; each endpoint of the contract has its own limit.
    bodyLimit: bodyLimitBytes.anonymous,
    // Even the largest file over a slow connection takes less time; a longer request would never end.
    requestTimeout: minutes(20),
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: true, maxParamLength: 500 },
    forceCloseConnections: true,
    frameworkErrors: replyWithError,
    clientErrorHandler: replyToMalformedRequest,
  })
}

/** Health and metrics routes, in every kind of process. */
function serveMonitoring(
  app: FastifyInstance,
  { deps, config, backups, readMetrics: readings, isReady: ready }: AppParts,
): void {
  serveMetrics(app, config.metricsToken, deps.live, backups.state, readings)
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (!(await ready())) return reply.code(503).send({ error: 'ERR_NOT_READY' })
    const backup = await backups.state()
    // This route is public, so the reason is only in the log and the mail.
    return { status: 'ready', ...(backup && { backup: { lastAt: backup.lastAt, ok: backup.error === null } }) }
  })
}

/** For a process that serves only health and metrics. */
export async function buildMonitoringApp(parts: AppParts): Promise<FastifyInstance> {
  const app = makeFastify(parts)
  registerErrorHandlers(app)
  setSecurityHeaders(app)
  serveMonitoring(app, parts)
  return app
}

/** Limit per address. An office whose browsers all reconnect at once briefly reaches twice this rate. */
const anonymousPerSecond = 50

export async function buildApp(parts: AppParts): Promise<FastifyInstance> {
  const { deps, sessions, config, log } = parts
  const app = makeFastify(parts)
  sendRequestIdHeader(app)
  registerErrorHandlers(app)
  registerBodyParsers(app, config.bodyTimeoutMs)
  serveMonitoring(app, parts)
  setSecurityHeaders(app)
  await app.register(cors, () => crossOrigin(config.corsOrigins))
  await app.register(cookie)
  await app.register(multipart)
  compressReplies(app)
  // Compresses responses streamed from the disk.
  await app.register(compress, { threshold: 1024, encodings: ['br', 'gzip'], globalDecompression: false })
  await serveWebApp(app, config.webDir)
  serveStoredFiles(app, deps.files)
  serveDocs(app, config.publicUrl ?? '/')
  await serveCloudWebhook(app, { deps: deps, log, receive: parts.cloud.receive })
  const programs = makeTokenBucket(deps.clock, config.apiRate)
  const anonymous = makeTokenBucket(systemClock, anonymousPerSecond)
  mountRoutes(app, makeRoutes(parts), deps, { ...sessions, ...parts.keys, programs, anonymous })
  watchPresence(deps.live, deps)
  watchActivity(app, deps.live, deps, log)
  app.addHook('onResponse', async (request, reply) => {
    if (reply.statusCode >= 500 || log.isLevelEnabled('debug'))
      request.log.info({ trace: request.id, req: request, res: reply, ms: Math.round(reply.elapsedTime) }, 'answered')
  })
  return app
}

const methods = ['GET', 'POST', 'PUT', 'DELETE']
const exposedHeaders = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'Retry-After']
/**
 * CORS: configured origins may call with their session; the API for integrations is open to any origin but without a
 * session, because callers send a key. One-time addresses for a passkey are open to WhatsApp's own page only.
 */
function crossOrigin(allowedOrigins: string[]) {
  return (request: FastifyRequest, decide: (error: Error | null, options: FastifyCorsOptions) => void) => {
    const { origin = '' } = request.headers
    if (request.url.startsWith(linePasskeyPath))
      return decide(null, { origin: whatsappPasskeySite.origin, methods: ['GET', 'POST'] })
    const isForPrograms = request.url.startsWith('/api/') && !allowedOrigins.includes(origin)
    if (isForPrograms) decide(null, { origin: '*', methods, exposedHeaders: exposedHeaders })
    else
      decide(
        null,
        allowedOrigins.length
          ? { origin: allowedOrigins, credentials: true, methods, exposedHeaders: exposedHeaders }
          : { origin: false },
      )
  }
}

const renderDocsInWorker = makeWorkerQueue<DocsTask, RenderedDocs>(
  new URL('./kernel/http/api-docs-worker.ts', import.meta.url),
)

function serveDocs(app: FastifyInstance, server: string): void {
  let rendered: Promise<RenderedDocs> | undefined
  const docs = (): Promise<RenderedDocs> => {
    rendered ??= renderDocsInWorker(
      { version: appVersion, server },
      { timeoutMs: 60_000, heapMb: 256, maxQueued: 1 },
    ).catch((error) => {
      rendered = undefined
      throw error
    })
    return rendered
  }
  const page = serveCompressedPage('text/html; charset=utf-8', async () => (await docs()).page)
  const json = serveCompressedPage('application/json; charset=utf-8', async () => (await docs()).json)
  app.get('/docs', page)
  app.get('/docs/json', json)
  app.get('/docs/style.css', async (_request, reply) => reply.type('text/css').send(docsStylesheet))
}

/** Endpoints of the contract without a handler: the server does not start if there are any. */
export function listUnhandledEndpoints(app: FastifyInstance): string[] {
  return endpoints.filter((e) => !app.hasRoute({ method: e.method, url: e.path })).map((e) => `${e.method} ${e.path}`)
}
