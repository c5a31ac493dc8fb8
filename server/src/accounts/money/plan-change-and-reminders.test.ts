import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Invoice, invoicesApi } from '@recado/contract/money/invoices'
import { moneyApi } from '@recado/contract/money/platform'
import { subscriptionApi } from '@recado/contract/money/subscription'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { waitTimeoutMs } from '../../../test/wait-timeout.ts'
import { addDays, toCalendarDay } from '../../kernel/clock.ts'
import { writeDueInvoices } from './invoices.ts'
import { chooseReminder, sendDueReminders } from './payment-reminders.ts'
import { calculatePlanChange } from './plan-change.ts'

let h: TestServer
let boss: TestUser
beforeAll(async () => {
  h = await testServer()
  boss = await h.superUser()
})
afterAll(closeTestServers)

const zone = 'America/Sao_Paulo'
const today = () => toCalendarDay(h.clock.now(), zone)
const set = (id: number, values: object) =>
  h.wide().db.updateTable('companies').set(values).where('id', '=', id).execute()
const rowOf = (id: number) =>
  h.wide().db.selectFrom('companies').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
async function companyDue(days: number, more: object = {}) {
  const company = await h.createCompany()
  await set(company.id, { dueDate: addDays(today(), days), ...more })
  return { ...company, dueDate: addDays(today(), days) }
}
const openOf = async (admin: TestUser): Promise<Invoice[]> =>
  (await admin.call(invoicesApi.all)).filter(({ status }) => status === 'open')

describe('changing the plan', () => {
  const period = { today: '2026-11-10', dueDate: '2026-11-30', trialExpiration: null, months: 1 }
  it.each([
    [
      'a dearer one costs the days that are left',
      period,
      { from: 19_900, to: 34_900 },
      { days: 20, cents: 9678, extraDays: 0 },
    ],
    ['a cheaper one buys more days', period, { from: 34_900, to: 19_900 }, { days: 20, cents: 0, extraDays: 15 }],
    ['the same price costs nothing', period, { from: 9000, to: 9000 }, { days: 20, cents: 0, extraDays: 0 }],
    ['a free one gives no days back', period, { from: 9000, to: 0 }, { days: 20, cents: 0, extraDays: 0 }],
    [
      'a trial has paid nothing',
      { ...period, trialExpiration: '2026-11-30' },
      { from: 9000, to: 90_000 },
      { days: 0, cents: 0, extraDays: 0 },
    ],
    [
      'nor have the trial’s last days, once the time after it is paid: they buy no days',
      { today: '2026-11-10', dueDate: '2026-12-30', trialExpiration: '2026-11-30', months: 1 },
      { from: 34_900, to: 19_900 },
      { days: 30, cents: 0, extraDays: 22 },
    ],
    [
      'nor are they paid for on a dearer one',
      { today: '2026-11-10', dueDate: '2026-12-30', trialExpiration: '2026-11-30', months: 1 },
      { from: 10_000, to: 20_000 },
      { days: 30, cents: 10_000, extraDays: 0 },
    ],
    [
      'a trial that is over says nothing about what was paid since',
      { ...period, trialExpiration: '2026-10-30' },
      { from: 34_900, to: 19_900 },
      { days: 20, cents: 0, extraDays: 15 },
    ],
    [
      'nor has who is late',
      { ...period, today: '2026-12-02' },
      { from: 9000, to: 90_000 },
      { days: 0, cents: 0, extraDays: 0 },
    ],
    [
      'a quarter is a quarter',
      { ...period, months: 3 },
      { from: 10_000, to: 20_000 },
      { days: 20, cents: 6522, extraDays: 0 },
    ],
  ])('%s', (_, given, prices, expected) => {
    expect(calculatePlanChange(given, prices)).toEqual(expected)
  })

  let dear: number
  let small: number
  beforeAll(async () => {
    const made = async (name: string, value: number, users: number) =>
      (await boss.request<{ id: number }>('POST', '/plans', { name, users, connections: 50, queues: 50, value })).body
        .id
    dear = await made('Red', 180, 90)
    small = await made('Mínimo', 45, 1)
  })

  it('shows the price first and changes the plan on payment; the small price of the last days does not buy the next period', async () => {
    const { id, admin } = await companyDue(10)
    await writeDueInvoices(h.wide())
    const shown = await admin.call(subscriptionApi.planChange, { params: { id: dear } })
    expect(shown).toMatchObject({ days: 10, tooMany: [], nextValue: 180, extraDays: 0 })
    expect(shown.value).toBeGreaterThan(25)
    const { invoice } = await admin.call(subscriptionApi.changePlan, { params: { id: dear } })
    expect(invoice).toMatchObject({ kind: 'change', value: shown.value, status: 'open' })
    expect((await rowOf(id)).planId).toBe(2)
    // The company renews on the old plan first: the price calculated for the previous period no longer applies.
    const plan = (await openOf(admin)).find(({ kind }) => kind === 'plan') as Invoice
    await boss.call(moneyApi.paid, { params: { id: plan.id }, body: { note: '' } })
    expect(await boss.request('POST', `/money/invoices/${invoice?.id}/paid`, {})).toMatchObject({ status: 409 })

    const second = await admin.call(subscriptionApi.changePlan, { params: { id: dear } })
    await boss.call(moneyApi.paid, { params: { id: second.invoice?.id as number }, body: { note: '' } })
    expect((await rowOf(id)).planId).toBe(dear)
  })

  it('lists what exceeds a smaller plan, and changes at once to a cheaper plan that fits, with more days', async () => {
    const { id, admin, user, dueDate } = await companyDue(10)
    const agent = await user()
    const refused = await admin.request('POST', `/subscription/plans/${small}`)
    expect(refused).toMatchObject({
      status: 409,
      body: { error: 'ERR_PLAN_TOO_SMALL', tooMany: [{ kind: 'users', have: 2, most: 1 }] },
    })
    await admin.request('DELETE', `/users/${agent.id}`)
    expect(await admin.call(subscriptionApi.changePlan, { params: { id: small } })).toEqual({ invoice: null })
    expect(await rowOf(id)).toMatchObject({ planId: small, dueDate: addDays(dueDate, 10) })
  })

  it('converts a month paid during the trial into more days on a cheaper plan, but not the trial days themselves', async () => {
    const { id, admin, dueDate: trial } = await companyDue(15, { trialExpiration: addDays(today(), 15) })
    await writeDueInvoices(h.wide())
    const [plan] = await openOf(admin)
    await boss.call(moneyApi.paid, { params: { id: plan?.id as number }, body: { note: '' } })
    const paidUntil = (await rowOf(id)).dueDate as string
    const paidDays = Math.round((Date.parse(paidUntil) - Date.parse(trial)) / 86_400_000)
    expect(paidDays).toBeGreaterThanOrEqual(28)
    // At half the price, each paid day becomes two days.
    expect(await admin.call(subscriptionApi.planChange, { params: { id: small } })).toMatchObject({
      days: paidDays,
      extraDays: paidDays,
    })
    await admin.call(subscriptionApi.changePlan, { params: { id: small } })
    expect((await rowOf(id)).dueDate).toBe(addDays(paidUntil, paidDays))
  })
})

describe('reminders', () => {
  it.each([
    [8, null],
    [7, 7],
    [4, 7],
    [3, 3],
    [1, 1],
    [0, null],
    [-1, -1],
    [-2, -1],
    [-3, -3],
    [-8, -7],
    [-11, null],
  ])('with %i days left: %s', (days, expected) => {
    expect(chooseReminder(days)).toBe(expected)
  })

  it.each([
    ['BRL', 'pt', /vence em 3 dias[\s\S]+R\$\s90,00[\s\S]+\/financeiro/],
    ['COP', 'es', /vence en 3 días[\s\S]+\$\s90\.000\.[\s\S]+\/financeiro/],
  ] as const)(
    'are sent to the admins once each, in the currency %s and the company’s language',
    async (currency, language, expected) => {
      const prices = JSON.stringify([{ currency: 'COP', value: 90_000 }])
      await h.wide().db.updateTable('plans').set({ prices }).where('id', '=', 2).execute()
      const { id, admin } = await companyDue(3, { currency })
      await h.wide().db.insertInto('settings').values({ companyId: id, key: 'language', value: language }).execute()
      // No reminder is sent before eight.
      const hour = Number(new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit' }).format(h.clock.now()))
      if (hour < 9) h.clock.advance((9 - hour) * 3_600_000)
      await writeDueInvoices(h.wide())
      await sendDueReminders(h.wide())
      await Promise.all([sendDueReminders(h.wide()), sendDueReminders(h.wide())])
      const mails = async () => {
        const names = await readdir(join(h.dataDir, 'mail')).catch(() => [])
        const own = names.filter((name) => name.includes(admin.email))
        return Promise.all(own.map((name) => readFile(join(h.dataDir, 'mail', name), 'utf8')))
      }
      await vi.waitFor(async () => expect(await mails()).toHaveLength(1), { timeout: waitTimeoutMs, interval: 50 })
      expect((await mails())[0]).toMatch(expected)
      const sent = await h.wide().db.selectFrom('reminders').select('days').where('companyId', '=', id).execute()
      expect(sent).toEqual([{ days: 3 }])
    },
  )
})
