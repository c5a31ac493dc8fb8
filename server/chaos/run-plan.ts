import { setTimeout as pause } from 'node:timers/promises'
import { type AgentClient, expectDone, openAgentClient } from './agent-client.ts'
import { openAgentScreen } from './agent-screen.ts'
import { type ChaosEnvironment, insertCompany, openEnvironment, retryUntilDone } from './environment.ts'
import { openFakeVendor } from './fake-vendor.ts'
import { countSurveys, endFlowPauses, listFlowFaults, pendingFlowWorkSql, publishFlows } from './flows.ts'
import {
  type ChaosEvidence,
  type ChaosVerdict,
  type ScreenComparison as Compared,
  judgeEvidence,
  type StoredMessage,
} from './judge.ts'
import { type LinkedCustomers, openLinkedCustomers } from './linked-customers.ts'
import { type ChaosCompany, makePerformer, type PerformerMemory, phoneNumberOf } from './performer.ts'
import { type ChaosPlan, countSteps, isLinkedCustomer } from './plan.ts'
import { createRoutedQueues, listLeftTickets, openRoutedDesk, routedPeople } from './routed-desk.ts'

export type ChaosResult = ChaosVerdict & {
  /** 1 if the run did not finish, which is a failure too. */
  broken: number
  seed: number
  steps: number
  misfortunes: Record<string, number>
  /** How often the server was killed and restarted, and how many messages needed a manual retry. */
  lives: number
  pressed: number
  /** How many of the messages went over the linked line. */
  linked: { in: number; out: number }
  /** How many surveys, which ask and wait, came to their end. */
  surveys: number
  seconds: number
}
export type RunOptions = {
  execPath?: string
  reportProgress?: (line: string) => void
  onEvidence?: (evidence: ChaosEvidence) => void
  /** Stops the run without leaving any process running. */
  signal?: AbortSignal
}

/**
 * How long the server may take to finish its work after the faults, and how long the screens may take to show the
 * result.
 */
const calmTimeoutMs = 240_000
const screensTimeoutMs = 45_000
/** How long linking a phone may take on a loaded machine. */
const linkTimeoutMs = 200_000

/** Runs a plan against real processes on a real PostgreSQL, waits until they are idle, and judges the result. */
export async function runPlan(
  plan: ChaosPlan,
  { execPath, reportProgress = () => {}, onEvidence: show = () => {}, signal: stop }: RunOptions = {},
): Promise<ChaosResult> {
  const began = performance.now()
  const environment = await openEnvironment({ processes: plan.processes, execPath, signal: stop })
  const closables: { close(): void | Promise<void> }[] = []
  const retried = new Set<string>()
  const linked = { in: 0, out: 0 }
  let surveys = 0
  const stopNow = () => void environment.close().finally(() => process.exit(1))
  stop?.addEventListener('abort', stopNow)
  try {
    stop?.throwIfAborted()
    const company = await openCompany(environment, plan, closables)
    reportProgress(`open after ${secondsSince(began)} s`)
    const performer = makePerformer(environment, company, plan.seed)
    const { companyId, vendor } = company
    const routedDesks = company.routedQueues.map((queue) =>
      openRoutedDesk({ db: environment.db, companyId, queue, vendor }),
    )
    closables.push(...routedDesks)
    await performer.run(plan.steps)
    await Promise.all(routedDesks.map((desk) => desk.rest()))
    reportProgress(`${plan.steps.length} steps done after ${secondsSince(began)} s`)
    await waitUntilActionsEnd(performer.listUnfinished, reportProgress)
    await waitUntilCalm(environment, company, retried, reportProgress)
    reportProgress(`calm after ${secondsSince(began)} s`)
    const screens = await compareSettledScreens(company)
    const evidence = await collectEvidence(environment, company, performer.memory, screens, retried)
    const clients = [company.admin, ...listScreens(company).map((screen) => screen.client)]
    evidence.unfinished.push(
      ...environment.deaths,
      ...performer.problems,
      ...(await listFlowFaults(environment.db, companyId, company.flows)),
      ...(await Promise.all(routedDesks.map((desk) => desk.listFaults()))).flat(),
      ...clients.flatMap((client) => client.faults),
    )
    show(evidence)
    surveys = await countSurveys(environment.db, companyId, company.flows)
    Object.assign(linked, { in: company.linked.sent.length, out: company.linked.listReceived().length })
    return makeResult({ ...judgeEvidence(evidence), broken: 0 })
  } catch (error) {
    const none = { in: 0, out: 0, lost: 0, doubled: 0, disordered: 0, astray: 0 }
    return makeResult({ ...none, broken: 1, faults: [`it did not come to its end: ${error}`] })
  } finally {
    for (const one of closables) await one.close()
    await environment.close()
    stop?.removeEventListener('abort', stopNow)
  }

  function makeResult(verdict: ChaosVerdict & Pick<ChaosResult, 'broken'>): ChaosResult {
    return {
      ...verdict,
      seed: plan.seed,
      steps: plan.steps.length,
      misfortunes: countSteps(plan.steps, 'misfortunes'),
      lives: environment.processes.reduce((sum, one) => sum + one.startCount(), 0),
      pressed: retried.size,
      linked,
      surveys,
      seconds: secondsSince(began),
    }
  }
}

/** Waits until actions and faults are finished; an action that does not finish is a failure. */
async function waitUntilActionsEnd(open: () => string[], reportProgress: (line: string) => void): Promise<void> {
  let lastReport = ''
  for (const deadline = Date.now() + calmTimeoutMs; open().length; await pause(100)) {
    const now = open().join(', ')
    if (now !== lastReport) reportProgress(`not over yet: ${now}`)
    lastReport = now
    if (Date.now() > deadline) throw new Error(`these never ended: ${now}`)
  }
}

const secondsSince = (began: number) => Math.round((performance.now() - began) / 100) / 10

async function openCompany(
  environment: ChaosEnvironment,
  plan: ChaosPlan,
  closables: { close(): void | Promise<void> }[],
): Promise<ChaosCompany> {
  const { companyId, emails } = await insertCompany(environment.db, plan.agents + routedPeople)
  const clients = emails.map((email) => openAgentClient(environment.addresses, email, environment.password))
  const [admin, ...people] = clients as [AgentClient, ...AgentClient[]]
  const [agents, routed] = [people.slice(0, plan.agents), people.slice(plan.agents)]
  const queues = ['Ventas', 'Soporte'].map(async (name, n) => {
    const body = { name, color: `#${100_000 + n}`, greetingMessage: `Bienvenida a ${name}` }
    return expectDone(await admin.callUntilAnswered<{ id: number }>('POST', '/queue', body)).id
  })
  const queueIds = await Promise.all(queues)
  await environment.db.query(
    `insert into "userQueues" ("companyId", "userId", "queueId")
     select $1, u.id, q from users u, unnest($2::int[]) q where u."companyId" = $1 and u.email = any($3::text[])`,
    [companyId, queueIds, [admin, ...agents].map(({ email }) => email)],
  )
  const queuesOfRouted = await createRoutedQueues(admin, environment.db, routed)
  environment.graph.templates.push({
    ...{ id: '1', name: 'oferta', language: 'es', status: 'APPROVED', category: 'MARKETING' },
    parameter_format: 'POSITIONAL',
    components: [{ type: 'BODY', text: 'Hola {{1}}, hay {{2}}.', example: { body_text: [['Ana', 'rosas']] } }],
  })
  const settings = { messageInterval: 0, longerIntervalAfter: 0, stopAfter: 0 }
  expectDone(await admin.callUntilAnswered('POST', '/campaign-settings', { settings }))
  const flows = await publishFlows(admin)
  const account = environment.graph.createAccount()
  const line = expectDone(
    await admin.callUntilAnswered<{ id: number; cloud: { webhookUrl: string } }>('POST', '/whatsapp', {
      ...{ name: 'Oficial', provider: 'cloud', cloud: { ...account, verifyToken: '' }, isDefault: true },
      ...{ queueIds: [...queueIds, ...queuesOfRouted.map(({ id }) => id)], greetingMessage: 'Hola, elija:' },
    }),
  )
  await retryUntilDone(async () => {
    const { status } = expectDone(await admin.callUntilAnswered<{ status: string }>('GET', `/whatsapp/${line.id}`))
    if (status !== 'CONNECTED') throw new Error(`the line is ${status}`)
  })
  const linked = openLinkedCustomers(environment.wa)
  for (let n = 0; n < plan.customers; n++) if (isLinkedCustomer(n)) linked.add(phoneNumberOf(n))
  const linkedId = await linkPhone(admin, linked, queueIds)
  const path = new URL(line.cloud.webhookUrl).pathname
  const vendor = openFakeVendor(environment.graph, account, path, environment.addresses)
  const screens = agents.map(openAgentScreen)
  const routedQueues = queuesOfRouted.map((queue) => ({ ...queue, screens: queue.people.map(openAgentScreen) }))
  const allScreens = listScreens({ screens, routedQueues })
  closables.push(vendor, ...allScreens)
  const userIds = await Promise.all(agents.map(async (agent) => (await agent.login()).user.id))
  await retryUntilDone(async () => {
    if (!allScreens.every((screen) => screen.stands())) throw new Error('not every screen stands')
  })
  const lines = { whatsappId: line.id, vendor, linkedId, linked }
  return { companyId, queueIds, flows, routedQueues, admin, screens, userIds, ...lines }
}

/** Adds a linked line and scans its QR code. */
async function linkPhone(admin: AgentClient, linked: LinkedCustomers, queueIds: number[]): Promise<number> {
  const { id } = expectDone(
    await admin.callUntilAnswered<{ id: number }>('POST', '/whatsapp', {
      ...{ name: 'Vinculada', provider: 'beta', pacing: { mode: 'off' }, queueIds, greetingMessage: 'Hola, elija:' },
    }),
  )
  let isScanned = false
  await retryUntilDone(async () => {
    const shown = await admin.callUntilAnswered<{ status: string; qrcode: string }>('GET', `/whatsapp/${id}`)
    const { status, qrcode } = expectDone(shown)
    if (qrcode && !isScanned) {
      isScanned = true
      await linked.link(qrcode)
    }
    if (status !== 'CONNECTED') throw new Error(`the linked line is ${status}`)
  }, linkTimeoutMs)
  return id
}

/** Describes all pending work of the server. */
async function listPendingWork(
  { db }: ChaosEnvironment,
  { companyId, routedQueues, vendor, linked }: ChaosCompany,
): Promise<string[]> {
  const { rows } = await db.query<{ what: string; n: number }>(
    `select * from (
       select 'journal' as what, count(*)::int as n from journal where "companyId" = $1 and "processedAt" is null
       union all select 'told elsewhere', count(*)::int from "cloudInbox" where "companyId" = $1
       union all select 'to be sent', count(*)::int from messages where "companyId" = $1 and state in ('queued', 'sending')
       union all select 'errands', count(*)::int from "lineErrands" where "companyId" = $1
       union all select 'scheduled', count(*)::int from schedules where "companyId" = $1 and status in ('PENDENTE', 'AGENDADA')
       union all ${pendingFlowWorkSql}
       union all select 'campaigns', count(*)::int from campaigns where "companyId" = $1 and status in ('PROGRAMADA', 'EM_ANDAMENTO')
     ) w where n > 0`,
    [companyId],
  )
  const left = rows.map(({ what, n }) => `${n} ${what}`)
  for (const queue of routedQueues) left.push(...(await listLeftTickets(db, queue)))
  if (!vendor.isQuiet()) left.push('Meta has something to tell')
  if (!linked.isQuiet()) left.push('WhatsApp has something to deliver')
  return left
}

/**
 * Waits until there is no more activity. Messages with an uncertain result, and files that failed to download, are
 * retried as a user would; the retries are counted.
 */
async function waitUntilCalm(
  environment: ChaosEnvironment,
  company: ChaosCompany,
  pressed: Set<string>,
  reportProgress: (line: string) => void,
): Promise<void> {
  let quiet = 0
  let lastReport = ''
  for (const deadline = Date.now() + calmTimeoutMs; Date.now() < deadline; await pause(250)) {
    const left = await retryUntilDone(async () => {
      await endFlowPauses(environment.db, company.companyId, environment.now())
      return listPendingWork(environment, company)
    })
    if (left.join(', ') !== lastReport) {
      lastReport = left.join(', ')
      reportProgress(`waiting for ${lastReport || 'nothing'}`)
    }
    quiet = left.length ? 0 : quiet + 1
    if (quiet < 3) continue
    if (!(await retryFailedMessages(environment, company, pressed))) return
    quiet = 0
  }
}

/** Retries failed messages, and returns whether there were any. */
async function retryFailedMessages(
  { db }: ChaosEnvironment,
  { companyId, admin }: ChaosCompany,
  pressed: Set<string>,
): Promise<boolean> {
  const { rows } = await db.query<{ id: string; wid: string; way: string }>(
    `select id::text, wid, case when "mediaState" = 'failed' then 'fetch' else 'retry' end as way from messages
     where "companyId" = $1 and "ticketId" is not null
       and (state = 'failed' and error = 'unsure' or "mediaState" = 'failed')`,
    [companyId],
  )
  for (const { id, wid, way } of rows) {
    expectDone(await admin.callUntilAnswered('POST', `/messages/${id}/${way}`))
    pressed.add(wid)
  }
  const campaigns = await db.query<{ id: number; wid: string }>(
    `select "campaignId" as id, 'campaign ' || id as wid from "campaignShippings"
     where "companyId" = $1 and state = 'failed' and reason = 'unsure'`,
    [companyId],
  )
  for (const id of new Set(campaigns.rows.map((row) => row.id)))
    await admin.callUntilAnswered('POST', `/campaigns/${id}/retry`, { reason: 'unsure' })
  for (const { wid } of campaigns.rows) pressed.add(wid)
  return rows.length + campaigns.rows.length > 0
}

const listScreens = ({ screens, routedQueues }: Pick<ChaosCompany, 'screens' | 'routedQueues'>) => [
  ...screens,
  ...routedQueues.flatMap((queue) => queue.screens),
]

/** Compares the screens with the database once they match, or when the time is up. */
async function compareSettledScreens(company: ChaosCompany): Promise<Compared[]> {
  const screens = listScreens(company)
  for (const deadline = Date.now() + screensTimeoutMs; ; await pause(250)) {
    const compared = (await Promise.all(screens.map((screen) => screen.compared()))).flat()
    const agree = compared.every(({ shown: shows, reread: reads }) => JSON.stringify(shows) === JSON.stringify(reads))
    if ((agree && screens.every((screen) => screen.stands())) || Date.now() > deadline) return compared
  }
}

async function collectEvidence(
  environment: ChaosEnvironment,
  company: ChaosCompany,
  memory: PerformerMemory,
  screens: Compared[],
  pressed: Set<string>,
): Promise<ChaosEvidence> {
  const { db } = environment
  const { companyId, vendor, linked } = company
  const rows = await db.query<StoredMessage>(
    `select m.id::text, m.wid, c.number as chat, m."fromMe", m.body, m.state, m.error, m."mediaState", m."clientId", m.later, m."createdAt" as at
     from messages m join contacts c on c."companyId" = m."companyId" and c.id = m."contactId"
     where m."companyId" = $1 order by m."createdAt", m.id`,
    [companyId],
  )
  const failed = await db.query(`select "eventId", error from journal where "companyId" = $1 and error is not null`, [
    companyId,
  ])
  const failedSchedules = await db.query<{ text: string; error: string }>(
    `select body as text, error from schedules where "companyId" = $1 and status = 'ERRO'`,
    [companyId],
  )
  const tickets = await db.query<{ id: number; status: string; userId: number | null }>(
    `select id, status, "userId" from tickets where "companyId" = $1`,
    [companyId],
  )
  const events = await db.query<{ ticketId: number; text: string }>(
    `select "ticketId", concat_ws(' ', 'stored:', kind, 'by', "userId", steps) as text from "ticketEvents"
     where "companyId" = $1 order by id`,
    [companyId],
  )
  const listHistory = (ticketId: number) =>
    [...memory.ticketActions, ...events.rows].filter((one) => one.ticketId === ticketId).map(({ text }) => text)
  return {
    sent: [...vendor.sent, ...linked.sent],
    received: [...vendor.listReceived(), ...linked.listReceived()],
    rows: rows.rows,
    requests: memory.requests,
    tickets: tickets.rows.flatMap(({ id, status, userId }) => {
      const allowed = memory.ticketStates.get(id)
      const actual = status === 'closed' ? 'closed' : `${status} ${userId}`
      return allowed ? [{ ticketId: id, allowed, actual, history: listHistory(id) }] : []
    }),
    screens,
    retried: [...pressed],
    failedSchedules: failedSchedules.rows,
    unfinished: [
      ...(await listPendingWork(environment, company)),
      ...failed.rows.map(({ eventId, error }) => `the journal set ${eventId} aside: ${error}`),
    ],
  }
}
