import { campaignsApi } from '@recado/contract/campaigns/campaigns'
import { isOpen } from '@recado/contract/campaigns/pace'
import { campaignSettingsApi } from '@recado/contract/campaigns/settings'
import type { Hours } from '@recado/contract/hours/hours'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { closeHouses, type House, house, type Person } from '../../../test/house.ts'
import { days, hours, later, minutes } from '../../kernel/clock.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { newsOf, tellNumbers } from './news.ts'
import { calendarOf } from './plan.ts'
import { beginOrSay } from './prepare.ts'
import { dueCampaign, sendNext, turnOfLine } from './send.ts'
import { campaignSettings } from './settings.ts'
import { noteStop } from './stops.ts'

/**
 * Weeks of campaigns on three lines by the house's clock. The timers are rung by hand, by two processes in turn, and now
 * and then one dies in the middle: its transaction is undone, and another takes over. People cancel, restart and say
 * stop meanwhile. What must hold is looked at in the rows afterwards.
 */
let h: House
let admin: Person
let companyId: number
let lines: number[]
beforeAll(async () => {
  h = await house()
  const company = await h.company()
  admin = company.admin
  companyId = company.id
  const { db } = h.wide()
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
  // Only we ring.
  await h.running.switchboard.timers.close()
})
afterAll(closeHouses)

/** The same chance each time. */
function chance(seed: number) {
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
const dailyLimit = 12
const settings = {
  messageInterval: 20,
  longerIntervalAfter: 10,
  greaterInterval: 120,
  hours: week,
  dailyLimit,
  daysBetween: 0,
}
const campaignCount = 8
const peopleEach = 15

class Killed extends Error {}

it('pace, hours, limits, once and stop hold over weeks with crashes, cancels and restarts', async () => {
  const random = chance(16)
  const { db } = h.wide()
  const scope = () => new Scope(h.running.means, { companyId })
  await admin.call(campaignSettingsApi.save, { body: { settings } })
  const list = await db
    .insertInto('contactLists')
    .values({ companyId, name: 'Todos', question: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const people = Array.from({ length: peopleEach }, (_, n) => `54911${60_000_000 + n}`)
  await sql`
    insert into "contactListItems" ("companyId", "contactListId", name, number, key, "isWhatsappValid")
    select ${companyId}, ${list.id}, 'P' || n, n, n, true from unnest(${people}::text[]) n`.execute(db)
  const ids: number[] = []
  for (let n = 0; n < campaignCount; n++) {
    const body = {
      name: `Campaña ${n}`,
      message1: 'uno {nome}',
      message3: 'tres {numero}',
      contactListId: list.id,
      whatsappId: lines[n % lines.length] as number,
      scheduledAt: later(h.clock.now(), hours(1) + random() * days(5)).toISOString(),
    }
    ids.push((await admin.call(campaignsApi.create, { body })).id)
  }

  /** One timer of one process; with some chance it dies after its work and before its commit. */
  async function ring(work: (tx: Scope) => Promise<void>): Promise<void> {
    const dies = random() < 0.05
    await scope()
      .transaction(async (tx) => {
        await work(tx)
        if (dies) throw new Killed()
      })
      .catch((error) => {
        if (!(error instanceof Killed)) throw error
      })
  }
  /** The line sends what it was given, and the customer's phone ticks, or it refuses. */
  async function outbox(): Promise<void> {
    await sql`
      update messages set state = case when id % 11 = 0 then 'failed' else 'sent' end, error = case when id % 11 = 0 then 'refused' end,
        ack = case when id % 11 = 0 then 0 else 3 end, "ackAt" = ${h.clock.now()}
      where "companyId" = ${companyId} and state = 'queued'`.execute(db)
  }
  async function somebodyActs(): Promise<void> {
    const id = ids[Math.floor(random() * ids.length)] as number
    const { status } = await db.selectFrom('campaigns').select('status').where('id', '=', id).executeTakeFirstOrThrow()
    const act = status === 'EM_ANDAMENTO' ? 'cancel' : status === 'CANCELADA' ? 'restart' : null
    if (act) await admin.ask('POST', `/campaigns/${id}/${act}`)
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
    await scope().transaction((tx) => noteStop(tx, one.contactId as number, { word: 'stop' }))
    stopped.set(one.key, h.clock.now().getTime())
  }

  const begin = h.clock.now().getTime()
  let actions = 0
  while (h.clock.now().getTime() < begin + days(28)) {
    // To the next thing that is due: what stands still costs nothing.
    const { rows } = await sql<{ next: string | null }>`
      select least((select min("nextAt") from "campaignLines" l where "companyId" = ${companyId} and exists (
          select from campaigns c join "campaignShippings" s on s."campaignId" = c.id and s.state in ('pending', 'confirmed')
          where c."whatsappId" = l."whatsappId" and c.status = 'EM_ANDAMENTO')),
        (select min("scheduledAt") from campaigns where "companyId" = ${companyId} and status = 'PROGRAMADA')) as next`.execute(
      db,
    )
    const next = rows[0]?.next
    const left = await db
      .selectFrom('campaigns')
      .select('id')
      .where('companyId', '=', companyId)
      .where('status', '=', 'CANCELADA')
      .execute()
    if (!next && !left.length) break
    const wait = next ? Date.parse(next) - h.clock.now().getTime() : hours(1)
    h.clock.forward(Math.max(0, wait) + (random() < 0.02 ? random() * hours(6) : random() * 2000))
    const now = h.clock.now().toISOString()
    const begins = await db
      .selectFrom('campaigns')
      .select('id')
      .where('companyId', '=', companyId)
      .where('status', '=', 'PROGRAMADA')
      .where('scheduledAt', '<=', now)
      .execute()
    for (const { id } of begins)
      await ring(async (tx) => {
        const row = await dueCampaign(tx, id)
        if (row) await beginOrSay(tx, row)
      })
    const due = await db
      .selectFrom('campaignLines')
      .select('whatsappId as id')
      .where('companyId', '=', companyId)
      .where('nextAt', '<=', now)
      .execute()
    // Two processes at once: one of them finds it done.
    for (const { id } of due)
      await Promise.all(
        [1, 2].map(() =>
          ring(async (tx) => {
            const turn = await turnOfLine(tx, id)
            if (turn) await sendNext(tx, turn)
          }),
        ),
      )
    if (random() < 0.9) await outbox()
    if (random() < 0.05)
      for (const id of ids)
        await ring(async (tx) => {
          const news = await newsOf(tx, id)
          if (news) await tellNumbers(tx, news)
        })
    if (actions < 30 && random() < 0.1) {
      actions++
      await somebodyActs()
    }
    if (stopped.size < 4 && random() < 0.05) await somebodyStops()
    if (!next) await somebodyActs()
    expect(h.clock.now().getTime()).toBeLessThan(begin + days(60))
  }
  await outbox()

  const all = await db
    .selectFrom('campaignShippings')
    .selectAll()
    .where('companyId', '=', companyId)
    .orderBy('queuedAt')
    .execute()
  // One row for each person and campaign, and none forgotten.
  expect(all).toHaveLength(campaignCount * peopleEach)
  expect(all.filter(({ state }) => !['sent', 'failed', 'skipped'].includes(state))).toEqual([])
  // One message for each who got it, and no message that is nobody's.
  const messages = await db
    .selectFrom('messages')
    .select(['id', 'campaignId', 'contactId'])
    .where('companyId', '=', companyId)
    .execute()
  expect(messages).toHaveLength(all.filter(({ messageId }) => messageId !== null).length)
  expect(new Set(messages.map((m) => `${m.campaignId} ${m.contactId}`)).size).toBe(messages.length)
  // Nothing after the stop.
  for (const row of all) {
    const at = stopped.get(row.key)
    if (at !== undefined && row.queuedAt) expect(Date.parse(row.queuedAt)).toBeLessThanOrEqual(at + minutes(1))
  }
  const calendar = await calendarOf(scope(), await campaignSettings(scope()))
  for (const line of lines) {
    const sent = all
      .filter((row) => row.whatsappId === line && row.queuedAt !== null)
      .map((row) => Date.parse(row.queuedAt as string))
    const perDay = new Map<string, number>()
    for (const [n, at] of sent.entries()) {
      // In the hours, at the pace, however many campaigns and processes there are.
      expect(isOpen(calendar, new Date(at))).toBe(true)
      if (n > 0) expect(at - (sent[n - 1] as number)).toBeGreaterThanOrEqual(20_000)
      if (n >= 10) expect(at - (sent[n - 10] as number)).toBeGreaterThanOrEqual(9 * 20_000 + 100_000)
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: calendar.zone }).format(at)
      perDay.set(day, (perDay.get(day) ?? 0) + 1)
    }
    expect(Math.max(...perDay.values())).toBeLessThanOrEqual(dailyLimit)
    expect(sent.length).toBeGreaterThan(peopleEach)
  }
  expect(stopped.size).toBeGreaterThan(0)
})
