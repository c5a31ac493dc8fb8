import type { CampaignState } from '@recado/contract/campaigns/campaigns'
import { isSendingTime } from '@recado/contract/campaigns/pace'
import { campaignSettingsApi } from '@recado/contract/campaigns/settings'
import type { Hours } from '@recado/contract/hours/hours'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { addMs, days, hours, minutes } from '../../kernel/clock.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { addOptOut } from './opt-outs.ts'
import { loadSendingCalendar } from './plan.ts'
import { beginOrCancelCampaign } from './prepare.ts'
import { publishCampaignCounts, takePendingRecount } from './recount.ts'
import { lockDueCampaign, lockDueCampaignLine, sendNextBatch } from './send.ts'
import { loadCampaignSettings } from './settings.ts'

/**
 * Simulates four weeks of a hundred campaigns on three lines by the server's clock. The test fires the timers itself, as
 * two processes in turn, and some die before the commit: their transaction is rolled back and another takes over. Users
 * cancel and restart, and customers opt out meanwhile. Afterwards the invariants are checked in the rows.
 */
let harness: TestServer
let admin: TestUser
let companyId: number
let lines: number[]
beforeAll(async () => {
  harness = await testServer()
  const company = await harness.createCompany()
  admin = company.admin
  companyId = company.id
  const { db } = harness.wide()
  const made = await db
    .insertInto('whatsapps')
    .values(
      ['Una', 'Dos', 'Tres'].map((name) => ({
        ...{ companyId, name, provider: 'sandbox' as const, status: 'CONNECTED' as const, tokenHash: null },
      })),
    )
    .returning('id')
    .execute()
  lines = made.map((row) => row.id)
  // Only the test fires timers.
  await harness.server.switchboard.timers.close()
})
afterAll(closeTestServers)

/** A seeded random generator: the same sequence each time. */
function makeRandom(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

const week: Hours[] = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday'].map((one) => ({
  weekday: '',
  weekdayEn: one as Hours['weekdayEn'],
  startTime: '09:00',
  endTime: '12:00',
}))
const dailyLimit = 6
const settings = {
  messageInterval: 20,
  longerIntervalAfter: 10,
  greaterInterval: 120,
  hours: week,
  dailyLimit,
  daysBetween: 0,
}
const campaignCount = 100
const peopleEach = 2
const listCount = 5
/** Each campaign begins before this time, so that all can end within four weeks. */
const lastBegin = days(19)

class ProcessKilledError extends Error {}

it('keeps the campaign’s pace, hours, limits, single delivery and opt-outs over weeks with crashes, cancels and restarts', async () => {
  const random = makeRandom(16)
  const { db } = harness.wide()
  const scope = () => new Scope(harness.server.deps, { companyId })
  await admin.call(campaignSettingsApi.save, { body: { settings } })
  const lists = await db
    .insertInto('contactLists')
    .values(Array.from({ length: listCount }, (_, n) => ({ companyId, name: `Lista ${n}`, question: null })))
    .returning('id')
    .execute()
  // Everybody is in two lists, so several campaigns target the same people.
  await sql`
    insert into "contactListItems" ("companyId", "contactListId", name, number, key, "isWhatsappValid")
    select ${companyId}, l.id, 'P' || p.number, p.number, p.number, true
    from unnest(${lists.map(({ id }) => id)}::int[]) with ordinality l (id, nth),
      lateral (select (5491160000000 + (l.nth * 2 + n) % ${listCount * 2})::text as number from generate_series(1, ${peopleEach}::int) n) p`.execute(
    db,
  )
  const made = await db
    .insertInto('campaigns')
    .values(
      Array.from({ length: campaignCount }, (_, n) => ({
        ...{ companyId, name: `Campaña ${n}`, message1: 'uno {nome}', message3: 'tres {numero}' },
        ...{ tagId: null, queueId: null, fileListId: null, mediaPath: null, mediaName: null, userId: null, held: null },
        status: 'PROGRAMADA' as const,
        contactListId: lists[n % listCount]?.id as number,
        whatsappId: lines[n % lines.length] as number,
        scheduledAt: addMs(harness.clock.now(), hours(1) + random() * lastBegin),
        ...{ startedAt: null, completedAt: null, freshSince: harness.clock.now(), createdAt: harness.clock.now() },
      })),
    )
    .returning('id')
    .execute()
  const ids = made.map(({ id }) => id)

  let deaths = 0
  /** Runs one timer as one process; with some probability the process dies after its work and before its commit. */
  async function runTimerOnce(work: (tx: Scope) => Promise<void>): Promise<void> {
    const dies = random() < 0.05
    if (dies) deaths++
    await scope()
      .transaction(async (tx) => {
        await work(tx)
        if (dies) throw new ProcessKilledError()
      })
      .catch((error) => {
        if (!(error instanceof ProcessKilledError)) throw error
      })
  }
  /** The line sends its queued messages and the customer's phone acknowledges them, or the line refuses them. */
  async function outbox(): Promise<void> {
    await sql`
      update messages set state = case when id % 11 = 0 then 'failed' else 'sent' end, error = case when id % 11 = 0 then 'refused' end,
        ack = case when id % 11 = 0 then 0 else 3 end, "ackAt" = ${harness.clock.now()}
      where "companyId" = ${companyId} and state = 'queued'`.execute(db)
  }
  /** A user cancels a running campaign, or resumes a cancelled one. */
  async function somebodyActs(states: CampaignState[] = ['EM_ANDAMENTO', 'CANCELADA']): Promise<void> {
    const some = await db
      .selectFrom('campaigns')
      .select(['id', 'status'])
      .where('companyId', '=', companyId)
      .where('status', 'in', states)
      .orderBy('id')
      .execute()
    const one = some[Math.floor(random() * some.length)]
    if (one) await admin.request('POST', `/campaigns/${one.id}/${one.status === 'EM_ANDAMENTO' ? 'cancel' : 'restart'}`)
  }
  const stopped = new Map<string, number>()
  async function somebodyStops(): Promise<void> {
    const known = await db
      .selectFrom('campaignShippings')
      .select(['contactId', 'key'])
      .where('companyId', '=', companyId)
      .where('contactId', 'is not', null)
      .execute()
    const one = known[Math.floor(random() * known.length)]
    if (!one || stopped.has(one.key)) return
    await scope().transaction((tx) => addOptOut(tx, one.contactId as number, { word: 'stop' }))
    stopped.set(one.key, harness.clock.now().getTime())
  }

  /** The time when the next timer is due, and whether a cancelled campaign waits to be resumed. */
  async function whatNext(): Promise<{ next: string | null; cancelled: boolean }> {
    const { rows } = await sql<{ next: string | null; cancelled: boolean }>`
      select least((select min("nextAt") from "campaignLines" l where "companyId" = ${companyId} and exists (
          select from campaigns c join "campaignShippings" s on s."campaignId" = c.id and s.state in ('pending', 'confirmed')
          where c."whatsappId" = l."whatsappId" and c.status = 'EM_ANDAMENTO')),
        (select min("scheduledAt") from campaigns where "companyId" = ${companyId} and status = 'PROGRAMADA')) as next,
        exists (select from campaigns where "companyId" = ${companyId} and status = 'CANCELADA') as cancelled`.execute(
      db,
    )
    return rows[0] as never
  }
  async function dueNow(): Promise<{ begins: number[]; lines: number[] }> {
    const now = harness.clock.now()
    const { rows } = await sql<{ begins: number[] | null; lines: number[] | null }>`
      select (select array_agg(id order by "scheduledAt") from campaigns
          where "companyId" = ${companyId} and status = 'PROGRAMADA' and "scheduledAt" <= ${now}) as begins,
        (select array_agg("whatsappId") from "campaignLines" where "companyId" = ${companyId} and "nextAt" <= ${now}) as lines`.execute(
      db,
    )
    return { begins: rows[0]?.begins ?? [], lines: rows[0]?.lines ?? [] }
  }
  const count = (id: number) => async (tx: Scope) => {
    const news = await takePendingRecount(tx, id)
    if (news) await publishCampaignCounts(tx, news)
  }
  const send = (line: number) => async (tx: Scope) => {
    const turn = await lockDueCampaignLine(tx, line)
    if (turn) await sendNextBatch(tx, turn)
  }

  const begin = harness.clock.now().getTime()
  let actions = 0
  while (harness.clock.now().getTime() < begin + days(28)) {
    const { next, cancelled } = await whatNext()
    if (!next && !cancelled) break
    // Jumps to the next due time, and sometimes lets several hours pass.
    const wait = next ? Date.parse(next) - harness.clock.now().getTime() : hours(1)
    harness.clock.advance(Math.max(0, wait) + (random() < 0.02 ? random() * hours(6) : random() * 2000))
    const due = await dueNow()
    for (const id of due.begins)
      await runTimerOnce(async (tx) => {
        const row = await lockDueCampaign(tx, id)
        if (row) await beginOrCancelCampaign(tx, row)
      })
    // Two processes run at once: one of them finds the work done.
    await Promise.all(due.lines.flatMap((line) => [runTimerOnce(send(line)), runTimerOnce(send(line))]))
    if (random() < 0.9) await outbox()
    if (random() < 0.02) for (const id of ids) await runTimerOnce(count(id))
    if (actions < 60 && random() < 0.15) {
      actions++
      await somebodyActs()
    }
    if (stopped.size < 3 && random() < 0.02) await somebodyStops()
    if (!next) await somebodyActs(['CANCELADA'])
  }
  await outbox()
  for (const id of ids) await scope().transaction(count(id))

  const all = await db
    .selectFrom('campaignShippings')
    .selectAll()
    .where('companyId', '=', companyId)
    .orderBy('queuedAt')
    .execute()
  // Each campaign has ended, with one row per person and campaign, and nobody is missing.
  const states = await db.selectFrom('campaigns').select('status').where('companyId', '=', companyId).execute()
  expect(new Set(states.map(({ status }) => status))).toEqual(new Set(['FINALIZADA']))
  expect(all).toHaveLength(campaignCount * peopleEach)
  expect(all.filter(({ state }) => !['sent', 'failed', 'skipped'].includes(state))).toEqual([])
  // There is one message for each person who got the campaign, and no message without a person.
  const messages = await db
    .selectFrom('messages')
    .select(['id', 'campaignId', 'contactId'])
    .where('companyId', '=', companyId)
    .execute()
  expect(messages).toHaveLength(all.filter(({ messageId }) => messageId !== null).length)
  expect(new Set(messages.map((m) => `${m.campaignId} ${m.contactId}`)).size).toBe(messages.length)
  // Nothing is sent after the opt-out.
  for (const row of all) {
    const at = stopped.get(row.key)
    if (at !== undefined && row.queuedAt) expect(Date.parse(row.queuedAt)).toBeLessThanOrEqual(at + minutes(1))
  }
  const calendar = await loadSendingCalendar(scope(), await loadCampaignSettings(scope()))
  for (const line of lines) {
    const sent = all
      .filter((row) => row.whatsappId === line && row.queuedAt !== null)
      .map((row) => Date.parse(row.queuedAt as string))
    const perDay = new Map<string, number>()
    for (const [n, at] of sent.entries()) {
      // Messages are sent within the hours and at the pace, whatever the number of campaigns and processes.
      expect(isSendingTime(calendar, new Date(at))).toBe(true)
      if (n > 0) expect(at - (sent[n - 1] as number)).toBeGreaterThanOrEqual(20_000)
      if (n >= 10) expect(at - (sent[n - 10] as number)).toBeGreaterThanOrEqual(9 * 20_000 + 100_000)
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: calendar.zone }).format(at)
      perDay.set(day, (perDay.get(day) ?? 0) + 1)
    }
    expect(Math.max(...perDay.values())).toBe(dailyLimit)
    expect(sent.length).toBeGreaterThan(40)
  }
  expect(stopped.size).toBeGreaterThan(0)
  expect(all.some(({ reason }) => reason === 'stopped')).toBe(true)
  expect(deaths).toBeGreaterThan(10)
  expect(actions).toBeGreaterThan(20)
})
