import { companiesApi } from '@recado/contract/companies'
import { type Currency, currencies, currencyOfPhone } from '@recado/contract/money/currency'
import { type Invoice, invoicesApi } from '@recado/contract/money/invoices'
import { moneyApi } from '@recado/contract/money/platform'
import { subscriptionApi } from '@recado/contract/money/subscription'
import { type Plan, plansApi } from '@recado/contract/plans'
import { formatAmount } from '@recado/contract/text/money'
import { extractText, getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeTestServers, type TestServer, type TestUser, testServer } from '../../../test/test-server.ts'
import { addDays, toCalendarDay } from '../../kernel/clock.ts'
import { writeDueInvoices } from './invoices.ts'
import { receivePayment } from './receive-payment.ts'

let h: TestServer
let boss: TestUser
beforeAll(async () => {
  h = await testServer()
  boss = await h.superUser()
  await boss.call(moneyApi.update, {
    body: {
      ...{ provider: 'pix', pixKey: 'pagos@recado.example', pixName: 'Recado', pixCity: 'Recife', efiKey: '' },
      paymentInstructions: 'Transferencia a la cuenta 123.',
    },
  })
})
afterAll(closeTestServers)

const today = () => toCalendarDay(h.clock.now(), 'America/Sao_Paulo')
const planForm = (over: object) => ({ name: `Plan ${Math.random()}`, users: 50, connections: 9, queues: 9, ...over })
const createPlan = (over: object) => boss.call(plansApi.create, { body: planForm(over) })
/** A company whose invoice is due in five days. */
async function companyOn(plan: Plan, currency: Currency) {
  const company = await h.createCompany()
  const dueDate = addDays(today(), 5)
  const values = { planId: plan.id, currency, dueDate }
  await h.wide().db.updateTable('companies').set(values).where('id', '=', company.id).execute()
  await writeDueInvoices(h.wide())
  const invoice = (await company.admin.call(invoicesApi.all))[0] as Invoice
  return { ...company, invoice, dueDate }
}
const updateCompany = (id: number, body: object) =>
  boss.request<{ error: string; currency: Currency }>('PUT', `/companies/${id}`, {
    ...{ name: `Renamed ${id} ${Math.random()}`, email: '', phone: '', status: true, recurrence: 'MENSAL' },
    ...body,
  })
const claim = (user: TestUser, invoiceId: number | null) => user.call(subscriptionApi.claim, { body: { invoiceId } })

describe('formatAmount', () => {
  it.each([
    [1234.5, 'BRL', ['R$ 1.234,50', 'R$ 1.234,50', 'R$ 1.234,50']],
    [1234.5, 'ARS', ['$ 1.234,50', 'ARS 1.234,50', 'ARS 1,234.50']],
    [15_000, 'CLP', ['$15.000', 'CLP 15.000', 'CLP 15,000']],
    [90_000, 'COP', ['$ 90.000', 'COP 90.000', 'COP 90,000']],
    [1234.5, 'MXN', ['$1,234.50', 'MX$ 1.234,50', 'MX$1,234.50']],
    [1234.5, 'EUR', ['1234,50 €', '€ 1.234,50', '€1,234.50']],
  ] as const)('writes %d %s as the reader does', (value, currency, expected) => {
    const written = (['es', 'pt', 'en'] as const).map((language) => formatAmount(value, currency, language))
    expect(written.map((text) => text.replace(/\s/g, ' '))).toEqual(expected)
  })

  it('never hides cents, and names the currency where several stand beside each other', () => {
    expect(formatAmount(10.5, 'CLP', 'es').replace(/\s/g, ' ')).toBe('$10,50')
    const withCode = currencies.map((currency) => formatAmount(7, currency, 'es', true))
    expect(new Set(withCode).size).toBe(currencies.length)
    expect(withCode[1]?.replace(/\s/g, ' ')).toBe('ARS 7,00')
  })
})

describe('the currency of a company', () => {
  it.each([
    ['+57 300 555 0192', 'COP'],
    ['+598 94 123 456', 'UYU'],
    ['+593991234567', 'USD'],
    ['+351912345678', 'EUR'],
    ['+44 20 7946 0958', null],
    ['11999990000', null],
  ])('of the telephone %s is %s', (phone, expected) => {
    expect(currencyOfPhone(phone)).toBe(expected)
  })

  it('is that of its telephone’s country if the plan has a price in it, otherwise the plan’s own', async () => {
    const { id, currency, prices } = await createPlan({ value: 90, prices: [{ currency: 'COP', value: 70_000 }] })
    expect({ currency, prices }).toEqual({ currency: 'BRL', prices: [{ currency: 'COP', value: 70_000 }] })
    const create = (over: object) =>
      boss.call(companiesApi.create, {
        body: {
          name: `Casa ${Math.random()}`,
          email: '',
          phone: '',
          dueDate: null,
          recurrence: 'MENSAL',
          planId: id,
          ...over,
        },
      })
    expect(await create({ phone: '+57 300 555 0192' })).toMatchObject({ currency: 'COP' })
    expect(await create({ phone: '+54 9 11 5555 1234' })).toMatchObject({ currency: 'BRL' })
    expect(await create({ phone: '11999990000' })).toMatchObject({ currency: 'BRL' })
    expect(await create({ phone: '+57 300 555 0192', currency: 'BRL' })).toMatchObject({ currency: 'BRL' })
    await expect(create({ phone: '', currency: 'ARS' })).rejects.toMatchObject({ code: 'ERR_PLAN_NO_PRICE' })
    await expect(create({ phone: '', currency: 'XXX' })).rejects.toMatchObject({ code: 'ERR_VALIDATION' })
    // Without a plan it gets the one that is cheapest in its currency.
    expect(await create({ planId: null, currency: 'COP' })).toMatchObject({ planId: id })
  })

  it('changes for later invoices: open ones are replaced, paid ones stay as they were issued', async () => {
    const plan = await createPlan({ value: 90, prices: [{ currency: 'ARS', value: 45_000 }] })
    const { id, admin, invoice, dueDate } = await companyOn(plan, 'BRL')
    expect(invoice).toMatchObject({ value: 90, currency: 'BRL' })
    await boss.call(moneyApi.paid, { params: { id: invoice.id }, body: { note: '' } })
    const next = addDays(dueDate, 3)
    await updateCompany(id, { dueDate: next })
    // An older client does not send the field: the currency stays.
    expect((await updateCompany(id, { dueDate: next, currency: 'ARS' })).body).toMatchObject({ currency: 'ARS' })
    expect((await updateCompany(id, { dueDate: next })).body).toMatchObject({ currency: 'ARS' })
    const { invoices } = await admin.call(invoicesApi.list, { query: {} })
    expect(invoices.map(({ status, value, currency }) => [status, value, currency])).toEqual([
      ['open', 45_000, 'ARS'],
      ['replaced', 90, 'BRL'],
      ['paid', 90, 'BRL'],
    ])
    // The hourly job finds the invoice and leaves it.
    await writeDueInvoices(h.wide())
    expect((await admin.call(invoicesApi.list, { query: {} })).count).toBe(3)
    const history = await boss.call(moneyApi.history, { params: { id }, query: {} })
    expect(history.totals).toEqual([
      { currency: 'BRL', paid: 90, open: 0 },
      { currency: 'ARS', paid: 0, open: 45_000 },
    ])
    expect(history.events).toContainEqual(expect.objectContaining({ kind: 'currency', before: 'BRL', after: 'ARS' }))
    expect(history.events.find(({ kind }) => kind === 'written')).toMatchObject({ value: 45_000, currency: 'ARS' })
  })
})

describe('the prices of a plan', () => {
  it('are refused with cents that the currency does not have, and twice for one currency', async () => {
    const refused = (over: object) =>
      expect(createPlan(over)).rejects.toMatchObject({ status: 400, code: 'ERR_VALIDATION' })
    await refused({ value: 9.5, currency: 'CLP' })
    await refused({ value: 9, prices: [{ currency: 'COP', value: 10.5 }] })
    await refused({ value: 9, prices: [{ currency: 'BRL', value: 10 }] })
    await refused({ value: 9, prices: [{ currency: 'XXX', value: 10 }] })
  })

  it('stay when an older client saves the plan, and cannot be removed while a company pays them', async () => {
    const form = planForm({ value: 90, prices: [{ currency: 'CLP', value: 15_000 }] })
    const plan = await boss.call(plansApi.create, { body: form })
    const { id: planId } = plan
    const { invoice } = await companyOn(plan, 'CLP')
    expect(invoice).toMatchObject({ value: 15_000, currency: 'CLP' })
    const update = (over: object) => boss.call(plansApi.update, { params: { id: planId }, body: { ...form, ...over } })
    expect(await update({ value: 95, currency: undefined, prices: undefined })).toMatchObject({
      ...{ value: 95, currency: 'BRL', prices: [{ currency: 'CLP', value: 15_000 }] },
    })
    await expect(update({ prices: [] })).rejects.toMatchObject({ status: 409, code: 'ERR_PLAN_PRICE_IN_USE' })
  })

  it('take along the companies that pay the plan’s own currency when that changes', async () => {
    const plan = await createPlan({ value: 90 })
    const { id, admin } = await companyOn(plan, 'BRL')
    const body = planForm({ value: 12_000, currency: 'ARS' })
    await boss.call(plansApi.update, { params: { id: plan.id }, body })
    expect((await admin.call(invoicesApi.all)).map(({ value, currency }) => [value, currency])).toEqual([
      [12_000, 'ARS'],
    ])
    expect((await boss.call(companiesApi.all)).find((one) => one.id === id)).toMatchObject({ currency: 'ARS' })
  })
})

describe('paying in a currency other than reais', () => {
  it('is refused as a Pix, shows the operator’s instructions, and can be reported by the company', async () => {
    const plan = await createPlan({ value: 90, prices: [{ currency: 'ARS', value: 45_000 }] })
    const { admin, user, invoice } = await companyOn(plan, 'ARS')
    for (const invoiceId of [invoice.id, null])
      expect(await admin.request('POST', '/subscription', { invoiceId })).toMatchObject({
        ...{ status: 409, body: { error: 'ERR_PAYMENT_CURRENCY' } },
      })
    expect(await admin.call(subscriptionApi.show)).toMatchObject({
      currency: 'ARS',
      price: { value: 45_000, currency: 'ARS' },
      paymentInstructions: 'Transferencia a la cuenta 123.',
      open: [{ id: invoice.id, currency: 'ARS' }],
    })
    await expect(claim(await user(), invoice.id)).rejects.toMatchObject({ status: 400 })
    await expect(claim((await h.createCompany()).admin, invoice.id)).rejects.toMatchObject({ status: 404 })
    expect(await claim(admin, invoice.id)).toMatchObject({ id: invoice.id, claimedAt: expect.any(String) })
    await boss.call(moneyApi.paid, { params: { id: invoice.id }, body: { note: 'Transferencia' } })
    await expect(claim(admin, invoice.id)).rejects.toMatchObject({ code: 'ERR_INVOICE_SETTLED' })
    const headers = { authorization: `Bearer ${admin.token}` }
    const pdf = await fetch(`${h.address}/invoices/${invoice.id}/receipt.pdf`, { headers })
    const { text } = await extractText(await getDocumentProxy(new Uint8Array(await pdf.arrayBuffer())), {
      mergePages: true,
    })
    expect(text.replace(/\s+/g, ' ')).toContain('Total ARS 45.000,00')
    expect(await boss.call(moneyApi.file, { query: { companyId: null } })).toMatch(
      new RegExp(`^${invoice.id};.+;ARS\\r?$`, 'm'),
    )
  })

  it('ignores a Pix for an invoice that was replaced by one in another currency', async () => {
    const plan = await createPlan({ value: 90, prices: [{ currency: 'UYU', value: 50 }] })
    const { id, admin, invoice, dueDate } = await companyOn(plan, 'BRL')
    const { txid } = (await admin.request<{ txid: string }>('POST', '/subscription', { invoiceId: invoice.id })).body
    await updateCompany(id, { dueDate, currency: 'UYU' })
    const payment = {
      provider: 'pix',
      reference: `E${txid}`,
      txid,
      cents: 9000,
      payer: '',
      paidAt: h.clock.now(),
    } as const
    await receivePayment(h.wide(), payment)
    const [open] = (await admin.call(subscriptionApi.show)).open
    expect(open).toMatchObject({ value: 50, currency: 'UYU' })
    const waiting = (await boss.call(moneyApi.payments, { query: {} })).payments.find((one) => one.txid === txid)
    expect(waiting).toMatchObject({ why: 'settled', guess: null })
    await expect(
      boss.call(moneyApi.assign, { params: { id: waiting?.id as number }, body: { invoiceId: open?.id as number } }),
    ).rejects.toMatchObject({ code: 'ERR_PAYMENT_CURRENCY' })
  })

  it('changes the plan at its price in that currency, in whole pesos, and only to plans that have one', async () => {
    const small = await createPlan({ value: 90, prices: [{ currency: 'CLP', value: 10_000 }] })
    const large = await createPlan({ value: 180, prices: [{ currency: 'CLP', value: 20_001 }] })
    const elsewhere = await createPlan({ value: 10 })
    const { admin } = await companyOn(small, 'CLP')
    const preview = await admin.call(subscriptionApi.planChange, { params: { id: large.id } })
    expect(preview).toMatchObject({ currency: 'CLP', nextValue: 20_001 })
    expect(preview.value).toBeGreaterThan(1000)
    expect(Number.isInteger(preview.value)).toBe(true)
    const { invoice } = await admin.call(subscriptionApi.changePlan, { params: { id: large.id } })
    expect(invoice).toMatchObject({ value: preview.value, currency: 'CLP', kind: 'change' })
    await expect(admin.call(subscriptionApi.changePlan, { params: { id: elsewhere.id } })).rejects.toMatchObject({
      code: 'ERR_PLAN_NO_PRICE',
    })
  })

  it('is never added to amounts in another currency', async () => {
    const before = await boss.call(moneyApi.summary)
    const sumsIn = (summary: typeof before, currency: Currency) =>
      summary.currencies.find((one) => one.currency === currency) ?? { monthly: 0, overdue: 0, soon: 0 }
    const plan = await createPlan({ value: 0, prices: [{ currency: 'PEN', value: 70.5 }] })
    const { id } = await companyOn(plan, 'PEN')
    const dueDate = addDays(today(), -4)
    const extra = { companyId: id, detail: 'Línea adicional', dueDate }
    await boss.call(moneyApi.create, { body: { ...extra, value: 11.5 } })
    await boss.call(moneyApi.create, { body: { ...extra, value: 5, currency: 'USD' } })
    await expect(boss.call(moneyApi.create, { body: { ...extra, value: 5.5, currency: 'CLP' } })).rejects.toMatchObject(
      {
        code: 'ERR_VALIDATION',
      },
    )
    const after = await boss.call(moneyApi.summary)
    expect(sumsIn(after, 'PEN')).toMatchObject({ monthly: 70.5, soon: 70.5, overdue: 11.5 })
    expect(sumsIn(after, 'USD')).toMatchObject({ monthly: 0, overdue: 5 })
    expect(sumsIn(after, 'BRL')).toEqual(sumsIn(before, 'BRL'))
    expect([after.monthly, after.overdue.value]).toEqual([before.monthly, before.overdue.value])
    expect(
      after.late.filter(({ company }) => company.id === id).map(({ value, currency }) => [value, currency]),
    ).toEqual([
      [11.5, 'PEN'],
      [5, 'USD'],
    ])
  })
})
