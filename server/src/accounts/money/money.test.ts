import { type Invoice, invoicesApi } from '@recado/contract/money/invoices'
import { moneyApi } from '@recado/contract/money/platform'
import { subscriptionApi } from '@recado/contract/money/subscription'
import { parseCrontab } from 'graphile-worker'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { waitTimeoutMs } from '../../../test/wait-timeout.ts'
import { crontab } from '../../app.ts'
import { addDays, addMonths, endOfDay, toCalendarDay } from '../../kernel/clock.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { performCustomerAction } from '../../lines/sandbox/customer-actions.ts'
import { advanceDueDate, writeDueInvoices } from './invoices.ts'
import { payInvoice } from './pay-invoice.ts'

let harness: TestServer
let superUser: TestUser
beforeAll(async () => {
  harness = await testServer()
  superUser = await harness.superUser()
})
afterAll(closeTestServers)

const emptyMoneySettings = { provider: 'pix' as const, graceDays: 0, pixKey: '', pixName: '', pixCity: '', efiKey: '' }
const zone = 'America/Sao_Paulo'
const today = () => toCalendarDay(harness.clock.now(), zone)
const dueOf = async (id: number) =>
  (await harness.wide().db.selectFrom('companies').select('dueDate').where('id', '=', id).executeTakeFirstOrThrow())
    .dueDate
const setDue = (id: number, days: number, more: object = {}) =>
  harness
    .wide()
    .db.updateTable('companies')
    .set({ dueDate: addDays(today(), days), ...more })
    .where('id', '=', id)
    .execute()
/** A company whose last paid day is this many days from now. */
async function companyDue(days: number, more: object = {}) {
  const company = await harness.createCompany()
  await setDue(company.id, days, more)
  return { ...company, dueDate: addDays(today(), days) }
}
const writeAll = () => writeDueInvoices(harness.wide())
const invoicesOf = (admin: TestUser) => admin.call(invoicesApi.all)
const onlyOf = async (admin: TestUser): Promise<Invoice> => {
  const found = await invoicesOf(admin)
  expect(found).toHaveLength(1)
  return found[0] as Invoice
}
const planOf = (name: string, value: number) =>
  superUser.request<{ id: number }>('POST', '/plans', {
    name: `${name} ${Math.random()}`,
    users: 50,
    connections: 9,
    queues: 9,
    value,
  })
const change = (id: number, body: object) =>
  superUser.request('PUT', `/companies/${id}`, {
    name: `Renamed ${id} ${Math.random()}`,
    email: '',
    phone: '',
    status: true,
    ...body,
  })

describe('the invoices of a company', () => {
  it('are created by an hourly job, for every time zone', () => {
    const day = parseCrontab(crontab).find(({ task }) => task === 'money:day')
    expect(day?.match({ min: 7, hour: 5, date: 1, month: 1, dow: 1 })).toBe(true)
  })

  it('are created twenty days before the due date, once, with the price of that day', async () => {
    const { id, admin } = await companyDue(20)
    const early = await companyDue(21)
    await Promise.all([writeAll(), writeAll(), writeAll()])
    const one = await onlyOf(admin)
    expect(one).toMatchObject({
      detail: 'Completo',
      value: 90,
      status: 'open',
      dueDate: endOfDay(addDays(today(), 20), zone).toISOString(),
    })
    expect(await invoicesOf(early.admin)).toEqual([])
    const plan = (await planOf('Otro', 120.5)).body
    await change(id, { planId: plan.id, dueDate: addDays(today(), 20), recurrence: 'MENSAL' })
    expect(await onlyOf(admin)).toMatchObject({ value: 120.5 })
    await superUser.request('PUT', `/plans/${plan.id}`, { name: `Otro nombre ${plan.id}`, users: 50, value: '500,00' })
    await writeAll()
    expect(await onlyOf(admin)).toMatchObject({ value: 120.5 })
    // The replaced invoice can still be read.
    const { invoices } = await admin.call(invoicesApi.list, { query: {} })
    expect(invoices.map((i) => [i.status, i.replacedById !== null])).toEqual([
      ['open', false],
      ['replaced', true],
    ])
  })

  it('are not created for the platform, for companies that never expire, or for free plans', async () => {
    const free = (await planOf('Gratis', 0)).body
    const forever = await harness.createCompany()
    const gratis = await companyDue(2, { planId: free.id })
    await writeAll()
    expect(await invoicesOf(forever.admin)).toEqual([])
    expect(await invoicesOf(gratis.admin)).toEqual([])
    expect(await invoicesOf(superUser)).toEqual([])
  })

  it('cost the price of the months they cover', async () => {
    const { admin } = await companyDue(3, { recurrence: 'TRIMESTRAL' })
    await writeAll()
    expect(await onlyOf(admin)).toMatchObject({ value: 270 })
  })

  it('follow the due date when the super user moves it', async () => {
    const { id, admin } = await companyDue(5)
    await writeAll()
    await superUser.request('POST', `/companies/${id}/renew`)
    expect(await invoicesOf(admin)).toEqual([])
    await change(id, { planId: 2, dueDate: addDays(today(), 9), recurrence: 'MENSAL' })
    expect(await onlyOf(admin)).toMatchObject({ dueDate: endOfDay(addDays(today(), 9), zone).toISOString() })
  })

  it('are paged and searchable, and visible to no other company', async () => {
    const { id, admin, user } = await companyDue(5)
    for (let n = 1; n <= 25; n++)
      await superUser.call(moneyApi.create, {
        body: { companyId: id, detail: `Línea ${n}`, value: 10 + n, dueDate: addDays(today(), n) },
      })
    const first = await admin.call(invoicesApi.list, { query: {} })
    const second = await admin.call(invoicesApi.list, { query: { pageNumber: 2 } })
    expect([first.invoices.length, first.count, first.hasMore, second.invoices.length, second.hasMore]).toEqual([
      20,
      25,
      true,
      5,
      false,
    ])
    expect((await admin.call(invoicesApi.list, { query: { searchParam: 'linea 7' } })).invoices).toMatchObject([
      { detail: 'Línea 7', value: 17 },
    ])
    expect((await admin.call(invoicesApi.all, { query: { pageNumber: 1 } })).length).toBe(25)
    expect(await admin.call(invoicesApi.all, { query: { pageNumber: 2 } })).toEqual([])
    const some = first.invoices[3] as Invoice
    expect((await admin.call(invoicesApi.list, { query: { searchParam: `#${some.id}` } })).invoices).toEqual([some])
    expect(await (await user()).request('GET', '/invoices')).toMatchObject({
      status: 400,
      body: { error: 'ERR_NO_PERMISSION' },
    })
    const other = await harness.createCompany()
    expect((await other.admin.call(invoicesApi.list, { query: {} })).count).toBe(0)
  })
})

describe('a payment', () => {
  it.each([
    ['2026-01-31', '2026-01-10', 1, '2026-02-28'],
    ['2028-01-31', '2028-01-31', 1, '2028-02-29'],
    ['2026-03-31', '2026-03-01', 3, '2026-06-30'],
    ['2026-12-15', '2026-12-20', 12, '2027-12-20'],
    ['2026-02-28', '2026-02-28', 6, '2026-08-28'],
  ])('moves a due date of %s, paid on %s, by %i months to %s', (due, on, months, moved) => {
    expect(advanceDueDate({ dueDate: due, billingDay: null }, on, months).dueDate).toBe(moved)
  })

  it('keeps the day of the month after a shorter month, until somebody moves the due date', async () => {
    const { id, admin } = await harness.createCompany()
    const setDueDate = (dueDate: string) => change(id, { planId: 2, dueDate, recurrence: 'MENSAL' })
    const payMonths = async (count: number) => {
      const dates: (string | null)[] = []
      for (let n = 0; n < count; n++) {
        const dueDate = (await dueOf(id)) as string
        const { id: invoiceId } = await superUser.call(moneyApi.create, {
          body: { companyId: id, detail: 'Mes', value: 90, dueDate, months: 1 },
        })
        const next = (await admin.call(subscriptionApi.show)).nextDueDate
        await superUser.call(moneyApi.paid, { params: { id: invoiceId }, body: { note: '' } })
        dates.push(await dueOf(id))
        expect(next).toBe(endOfDay(dates.at(-1) as string, zone).toISOString())
      }
      return dates
    }
    await setDueDate('2099-01-31')
    expect(await payMonths(4)).toEqual(['2099-02-28', '2099-03-31', '2099-04-30', '2099-05-31'])
    await superUser.request('POST', `/companies/${id}/renew`)
    await superUser.request('POST', `/companies/${id}/renew`)
    expect(await dueOf(id)).toBe('2099-07-31')
    await setDueDate('2100-02-28')
    expect(await payMonths(2)).toEqual(['2100-03-28', '2100-04-28'])
  })

  it('can exceed a 32-bit integer of cents', async () => {
    const { id } = await companyDue(40)
    const body = { companyId: id, detail: 'Anual', value: 99_999_999, dueDate: addDays(today(), 3), months: 0 }
    const { id: invoiceId } = await superUser.call(moneyApi.create, { body })
    const paid = await superUser.call(moneyApi.paid, { params: { id: invoiceId }, body: { note: '' } })
    expect(paid).toMatchObject({ value: 99_999_999, status: 'paid' })
    expect((await superUser.call(moneyApi.history, { params: { id }, query: {} })).paid).toBe(99_999_999)
  })

  it.each([
    ['es', 'Recibo de la factura', 'Por Plan Completo', 'Medio de pago Manual', 'Recibo'],
    ['pt', 'Recibo da fatura', 'Referente a Plano Completo', 'Meio de pagamento Manual', 'Recibo'],
    ['en', 'Receipt for invoice', 'For Plan Completo', 'Payment method Manual', 'Receipt'],
  ] as const)('gives a PDF receipt in %s, only to its company and to the super user', async (language, ...words) => {
    const [title, what, how, name] = words
    const { admin, user } = await companyDue(4)
    await harness.wide().db.updateTable('users').set({ language }).where('id', '=', admin.id).execute()
    const billing = { billingName: 'Ñandú & Hijos 🌵 S.R.L.', billingDocument: '12.345.678/0001-95' }
    await admin.call(subscriptionApi.billing, { body: { ...billing, addressStreet: 'Camino del Mirador 480' } })
    await writeAll()
    const { id, dueDay } = await onlyOf(admin)
    const paper = (who: TestUser) =>
      fetch(`${harness.address}/invoices/${id}/receipt.pdf`, { headers: { authorization: `Bearer ${who.token}` } })
    expect((await paper(admin)).status).toBe(409)
    await superUser.call(moneyApi.paid, { params: { id }, body: { note: 'Transferencia' } })
    const own = await paper(admin)
    expect(own.headers.get('content-type')).toBe('application/pdf')
    expect(own.headers.get('content-disposition')).toContain(`filename="${name} ${id}.pdf"`)
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(await own.arrayBuffer())), {
      mergePages: true,
    })
    const read = text.replace(/\s+/g, ' ')
    for (const said of [
      `${title} #${id}`,
      what,
      how,
      billing.billingName,
      billing.billingDocument,
      'Camino del Mirador 480',
      dueDay.split('-').reverse().join('/'),
      'Transferencia',
      'Total R$ 90,00',
    ])
      expect(read).toContain(said)
    // Access does not depend on the language, so it is checked once.
    if (language !== 'es') return
    expect((await paper(superUser)).status).toBe(200)
    expect((await paper((await harness.createCompany()).admin)).status).toBe(404)
    expect((await paper(await user())).status).toBe(400)
  })

  it('moves the due date once, notifies the company, and unlocks it', async () => {
    const { id, admin, dueDate } = await companyDue(4)
    await writeAll()
    const { id: invoiceId } = await onlyOf(admin)
    const socketClient = await admin.listen()
    const paying = () => superUser.request('POST', `/money/invoices/${invoiceId}/paid`, { note: 'Transferencia' })
    const answers = await Promise.all([paying(), paying(), paying()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    const moved = addMonths(dueDate, 1)
    expect(await dueOf(id)).toBe(moved)
    expect(await socketClient.waitFor(`company-${id}-payment`)).toEqual({
      action: 'CONCLUIDA',
      company: { id, dueDate: endOfDay(moved, zone).toISOString() },
    })
    await socketClient.whenCaughtUp()
    expect(socketClient.received.filter(({ name }) => name === `company-${id}-payment`)).toHaveLength(1)
    expect(await onlyOf(admin)).toMatchObject({ status: 'paid', paidBy: 'hand', note: 'Transferencia' })
    expect(await admin.call(invoicesApi.receipt, { params: { id: invoiceId } })).toMatchObject({
      invoice: { id: invoiceId },
      company: { name: expect.any(String) },
    })
  })

  it('of an expired company extends the due date from today', async () => {
    const { id, admin } = await companyDue(-40)
    await writeAll()
    const one = await onlyOf(admin)
    expect(await admin.request('GET', '/tags')).toMatchObject({ status: 402 })
    await superUser.call(moneyApi.paid, { params: { id: one.id }, body: { note: '' } })
    expect(await dueOf(id)).toBe(addMonths(today(), 1))
    expect((await admin.request('GET', '/tags')).status).toBe(200)
  })

  it('changes nothing when it fails halfway', async () => {
    const { id, admin, dueDate } = await companyDue(4)
    await writeAll()
    const one = await onlyOf(admin)
    const dying = harness.wide().transaction(async (tx) => {
      await payInvoice(tx, { id: one.id, companyId: id }, { paidBy: 'hand', paidAt: tx.now() })
      throw new Error('out of breath')
    })
    await expect(dying).rejects.toThrow('out of breath')
    expect([await dueOf(id), (await onlyOf(admin)).status]).toEqual([dueDate, 'open'])
  })

  it('is refused for a cancelled or replaced invoice', async () => {
    const { id, admin, dueDate } = await companyDue(4)
    await writeAll()
    const one = await onlyOf(admin)
    await superUser.call(moneyApi.cancel, { params: { id: one.id }, body: { note: 'Cortesía' } })
    expect(await superUser.request('POST', `/money/invoices/${one.id}/paid`, {})).toMatchObject({
      status: 409,
      body: { error: 'ERR_INVOICE_SETTLED' },
    })
    await writeAll()
    // A cancelled invoice is not created again.
    expect(await invoicesOf(admin)).toEqual([])
    expect(await dueOf(id)).toBe(dueDate)
  })
})

describe('a company that has not paid', () => {
  it('can read and pay its open invoices, in the grace period and after it', async () => {
    const { id, admin, user } = await harness.createCompany()
    const agent = await user()
    await setDue(id, -2)
    await writeAll()
    await superUser.call(moneyApi.update, { body: { ...emptyMoneySettings, graceDays: 3 } })
    try {
      expect((await admin.request('GET', '/tags')).status).toBe(200)
      expect(await agent.call(subscriptionApi.show)).toMatchObject({ expired: false, graceDays: 3 })
    } finally {
      await superUser.call(moneyApi.update, { body: emptyMoneySettings })
    }
    expect((await admin.request('GET', '/tags')).status).toBe(402)
    expect(await agent.call(subscriptionApi.show)).toMatchObject({
      expired: true,
      open: [{ status: 'open', value: 90 }],
      plan: { name: 'Completo' },
    })
    expect(await agent.request('GET', '/invoices/all')).toMatchObject({ status: 400 })
    expect(await admin.call(subscriptionApi.billing, { body: { billingName: 'Sol S.A.' } })).toMatchObject({
      billing: { billingName: 'Sol S.A.' },
    })
    expect(await dueOf(id)).toBe(addDays(today(), -2))
  })

  it('loses no customer messages: they are present once it has paid', async () => {
    const company = await companyDue(3)
    const line = await harness.openLine(company)
    await setDue(company.id, -30)
    await writeAll()
    // The message comes from a customer's phone, because no user of the locked company could write.
    const said = { body: '¿Hay alguien ahí?', kind: 'text', from: '5491155550042', chat: '5491155550042', name: 'Sol' }
    await performCustomerAction(new Scope(harness.server.deps, { companyId: company.id }), line.id, {
      ...{ ...said, id: 'LOCKED1', group: null, fromCustomer: true, extra: {}, media: null, quotedId: null },
      at: harness.clock.now(),
    })
    const stored = () =>
      harness
        .wide()
        .db.selectFrom('messages')
        .select('body')
        .where('companyId', '=', company.id)
        .where('fromMe', '=', false)
        .execute()
    await vi.waitFor(async () => expect(await stored()).toEqual([{ body: '¿Hay alguien ahí?' }]), {
      timeout: waitTimeoutMs,
    })
    expect((await company.admin.request('GET', '/tickets/counts')).status).toBe(402)
    await superUser.call(moneyApi.paid, { params: { id: (await onlyOf(company.admin)).id }, body: { note: '' } })
    const { body } = await company.admin.request<{ tickets: { lastMessage: string }[] }>(
      'GET',
      '/tickets?status=pending&showAll=true',
    )
    expect(body.tickets).toMatchObject([{ lastMessage: '¿Hay alguien ahí?' }])
  })
})

describe('the super user', () => {
  let company: Awaited<ReturnType<typeof companyDue>>
  beforeEach(async () => {
    company = await companyDue(-5)
    await writeAll()
  })

  it('sees all invoices, filtered by state, company and text, and exports them', async () => {
    const { invoices } = await superUser.call(moneyApi.invoices, { query: { companyId: company.id } })
    expect(invoices).toMatchObject([{ company: { id: company.id, name: company.name }, status: 'open' }])
    const byName = await superUser.call(moneyApi.invoices, {
      query: { companyId: null, searchParam: company.name, status: 'expired' },
    })
    expect(byName.count).toBe(1)
    expect(
      (
        await superUser.call(moneyApi.invoices, {
          query: { companyId: null, searchParam: company.name, status: 'paid' },
        })
      ).count,
    ).toBe(0)
    const file = await superUser.request<string>('GET', `/money/invoices/file?companyId=${company.id}`)
    expect(file.headers.get('content-type')).toContain('text/csv')
    expect(file.body).toContain(`${company.name};Completo;"90,00";${company.dueDate};open`)
    expect(await company.admin.request('GET', '/money/invoices')).toMatchObject({ status: 402 })
  })

  it('reads the whole history of a company: invoices, payments, dates, plans, and their authors', async () => {
    const { id, admin, dueDate } = company
    const [invoice] = (await superUser.call(moneyApi.invoices, { query: { companyId: id } })).invoices
    await superUser.call(moneyApi.paid, { params: { id: invoice?.id as number }, body: { note: 'Transferencia' } })
    const dearer = (await planOf('Dorado', 300)).body.id
    await change(id, { planId: dearer, recurrence: 'ANUAL', dueDate: addMonths(today(), 2) })
    await superUser.call(moneyApi.create, {
      body: { companyId: id, detail: 'Línea adicional', value: 49, dueDate: today(), months: 0 },
    })
    const extra = (await invoicesOf(admin)).find(({ kind }) => kind === 'hand')
    await superUser.call(moneyApi.cancel, { params: { id: extra?.id as number }, body: { note: 'Cortesía' } })
    const told = await superUser.call(moneyApi.history, { params: { id } })
    expect(told).toMatchObject({ company: { id, name: expect.any(String), recurrence: 'ANUAL' }, paid: 90, open: 0 })
    const by = expect.stringMatching(/./)
    expect(told.events.toReversed()).toMatchObject([
      { kind: 'written', invoiceId: invoice?.id, value: 90, note: 'Completo', after: dueDate, by: '' },
      { kind: 'paid', invoiceId: invoice?.id, value: 90, way: 'hand', note: 'Transferencia', by },
      { kind: 'due', before: dueDate, after: addMonths(today(), 1), by },
      { kind: 'due', after: addMonths(today(), 2), by },
      { kind: 'plan', before: 'Completo', after: expect.stringMatching(/^Dorado/), by },
      { kind: 'recurrence', before: 'MENSAL', after: 'ANUAL', by },
      { kind: 'written', invoiceId: extra?.id, value: 49, note: 'Línea adicional', by },
      { kind: 'cancelled', invoiceId: extra?.id, note: 'Cortesía', by },
    ])
    // Only the super user can read the history.
    expect(await admin.request('GET', `/money/companies/${id}/history`)).toMatchObject({ status: 400 })
    expect(await superUser.request('GET', '/money/companies/999999/history')).toMatchObject({ status: 404 })
  })

  it('sees the income per month, and which companies are overdue', async () => {
    const before = await superUser.call(moneyApi.summary)
    expect(before.late.map((one) => one.company.id)).toContain(company.id)
    const [invoice] = (await superUser.call(moneyApi.invoices, { query: { companyId: company.id } })).invoices
    await superUser.call(moneyApi.paid, { params: { id: invoice?.id as number }, body: { note: 'Efectivo' } })
    const after = await superUser.call(moneyApi.summary)
    expect(after.monthly - before.monthly).toBe(90)
    expect(after.collected - before.collected).toBe(90)
    expect(before.overdue.value - after.overdue.value).toBe(90)
    expect(after.late.map((one) => one.company.id)).not.toContain(company.id)
    expect(after.months).toHaveLength(12)
    expect(after.months.at(-1)).toMatchObject({
      month: today().slice(0, 7),
      plans: expect.arrayContaining([expect.objectContaining({ name: 'Completo' })]),
    })
  })
})
