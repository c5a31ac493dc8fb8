import { type Invoice, invoicesApi, type PaymentProviderName } from '@recado/contract/money/invoices'
import { moneyApi } from '@recado/contract/money/platform'
import { type Charge, subscriptionApi } from '@recado/contract/money/subscription'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { fakeAsaas } from '../../../test/fake-asaas.ts'
import { clientCertificate, fakeEfi } from '../../../test/fake-efi.ts'
import {
  closeTestServers,
  startSecondProcess,
  type TestServer,
  type TestUser,
  testServer,
} from '../../../test/test-server.ts'
import { waitTimeoutMs } from '../../../test/wait-timeout.ts'
import { addDays, addMonths, addMs, hours, minutes, toCalendarDay } from '../../kernel/clock.ts'
import { Scope } from '../../kernel/data/scope.ts'
import { refreshCharge } from './charges.ts'
import { writeDueInvoices } from './invoices.ts'
import { loadMoneySettings } from './money-settings.ts'
import { receivePayment } from './receive-payment.ts'

let harness: TestServer
let superUser: TestUser
let efi: Awaited<ReturnType<typeof fakeEfi>>
let asaas: Awaited<ReturnType<typeof fakeAsaas>>
beforeAll(async () => {
  efi = await fakeEfi()
  asaas = await fakeAsaas()
  harness = await testServer({ privateTargets: true, efiUrl: efi.url, asaasUrl: asaas.url })
  superUser = await harness.superUser()
})
afterAll(async () => {
  await closeTestServers()
  await efi.close()
  await asaas.close()
})

const today = () => toCalendarDay(harness.clock.now(), 'America/Sao_Paulo')
const settings = {
  provider: 'pix' as PaymentProviderName,
  graceDays: 0,
  ...{ pixKey: 'pagos@recado.example', pixName: 'Recado', pixCity: 'São Paulo', efiKey: 'pagos@recado.example' },
  ...{ efiClient: 'client', efiSecret: 'secret', efiCertificate: clientCertificate, asaasToken: 'asaas-token' },
}
const paidThrough = (provider: PaymentProviderName, more: object = {}) =>
  superUser.call(moneyApi.update, { body: { ...settings, provider, ...more } })
async function companyDue(inDays: number, document = '12345678909') {
  const company = await harness.createCompany()
  await harness
    .wide()
    .db.updateTable('companies')
    .set({ dueDate: addDays(today(), inDays), billingDocument: document })
    .where('id', '=', company.id)
    .execute()
  await writeDueInvoices(harness.wide())
  const [invoice] = await company.admin.call(invoicesApi.all)
  return { ...company, dueDate: addDays(today(), inDays), invoice: invoice as Invoice }
}
const dueOf = async (id: number) =>
  (await harness.wide().db.selectFrom('companies').select('dueDate').where('id', '=', id).executeTakeFirstOrThrow())
    .dueDate
const emptyBilling = { firstName: '', lastName: '', address2: '', city: '', state: '', zipcode: '', country: '' }
const pay = (admin: TestUser, invoiceId: number | null): Promise<Charge> =>
  admin.call(subscriptionApi.pay, { body: { ...emptyBilling, invoiceId } })
const key = async () => (await loadMoneySettings(harness.wide())).secrets.hookKey
const callWebhook = async (provider: 'efi' | 'asaas', body: object, token?: string) =>
  harness.anonymous.request(
    'POST',
    `/subscription/webhook/${provider}/${await key()}${provider === 'efi' ? '/pix' : ''}`,
    body,
    provider === 'asaas' ? { 'asaas-access-token': token ?? (await key()) } : {},
  )
const isPaid = (company: { admin: TestUser }) =>
  vi.waitFor(
    async () =>
      expect(await company.admin.call(invoicesApi.all)).toContainEqual(expect.objectContaining({ status: 'paid' })),
    { timeout: waitTimeoutMs, interval: 30 },
  )
/** Expires the charge and makes its check due. */
const endNow = ({ id }: Charge) =>
  harness
    .wide()
    .db.updateTable('charges')
    .set({ expiresAt: addMs(harness.clock.now(), -hours(1)), lookAt: harness.clock.now() })
    .where('id', '=', id)
    .execute()
const listUnmatchedPayments = () => superUser.call(moneyApi.payments, { query: {} })

describe('a checkout', () => {
  it('takes the amount from the invoice, whatever the client sends, and stores no card data', async () => {
    await paidThrough('pix')
    const { admin, invoice, id } = await companyDue(5)
    const answer = await admin.request<Charge>('POST', '/subscription', {
      ...{
        firstName: 'Lucía',
        lastName: 'Montes',
        address2: 'Mirador 480',
        city: 'San Bruno',
        state: '',
        zipcode: '',
        country: 'BR',
      },
      ...{ useAddressForPaymentDetails: false, nameOnCard: 'LUCIA MONTES', cardNumber: '4111111111111111', cvv: '' },
      ...{ plan: JSON.stringify({ title: 'Completo', planId: 2, price: 0.01 }), price: 0.01, users: 1, connections: 1 },
      invoiceId: invoice.id,
    })
    expect(answer).toMatchObject({ status: 200, body: { valor: { original: 90 }, provider: 'pix', expiresAt: null } })
    const { qrcode, txid } = answer.body.qrcode ? { ...answer.body, qrcode: answer.body.qrcode.qrcode } : ({} as never)
    expect(qrcode).toContain('540590.00')
    expect(qrcode).toContain(txid)
    expect(txid).toMatch(new RegExp(`^FAT${invoice.id}X[0-9A-Z]+$`))
    const stored = await harness
      .wide()
      .db.selectFrom('companies')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(stored).toMatchObject({ billingName: 'Lucía Montes', addressStreet: 'Mirador 480', addressCountry: 'BR' })
    const dump = JSON.stringify([stored, await harness.wide().db.selectFrom('charges').selectAll().execute()])
    expect(dump).not.toContain('4111')
    // While the code is valid, the same code is returned.
    expect((await pay(admin, invoice.id)).id).toBe(answer.body.id)
    // The platform has no provider that reports payments, so the check asks the super user to look at the account.
    await admin.call(subscriptionApi.check, { params: { id: answer.body.id } })
    expect((await superUser.call(moneyApi.invoices, { query: { companyId: id } })).invoices).toMatchObject([
      { claimedAt: expect.any(String) },
    ])
    await superUser.call(moneyApi.paid, { params: { id: invoice.id }, body: { note: '' } })
    expect(await admin.call(subscriptionApi.charge, { params: { id: answer.body.id } })).toMatchObject({
      status: 'paid',
    })
  })

  it('returns an error where no payment method is configured', async () => {
    await paidThrough('pix', { pixKey: '' })
    const { admin, invoice } = await companyDue(5)
    await expect(pay(admin, invoice.id)).rejects.toMatchObject({ status: 409, code: 'ERR_PAYMENT_NOT_SET' })
    expect((await admin.call(subscriptionApi.show)).provider).toBeNull()
    await paidThrough('pix')
  })

  it('finds or creates the next invoice if the client names none', async () => {
    const { admin } = await companyDue(29)
    const { invoiceId } = await pay(admin, null)
    expect(await admin.call(invoicesApi.all)).toMatchObject([{ id: invoiceId, status: 'open' }])
  })

  it('has no access to invoices and charges of other companies', async () => {
    const [one, other] = [await companyDue(5), await companyDue(5)]
    await expect(pay(one.admin, other.invoice.id)).rejects.toMatchObject({ status: 404 })
    const charge = await pay(other.admin, other.invoice.id)
    await expect(one.admin.call(subscriptionApi.check, { params: { id: charge.id } })).rejects.toMatchObject({
      status: 404,
    })
  })

  it('shows no secret to anybody', async () => {
    const shown = JSON.stringify(await paidThrough('efi'))
    for (const secret of ['secret', 'asaas-token', clientCertificate.slice(0, 40)])
      expect(shown).not.toContain(`"${secret}`)
    expect(JSON.parse(shown)).toMatchObject({ hasEfi: true, hasAsaas: true })
    const { sealed, plain } = await harness.wide().db.selectFrom('moneySettings').selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify([sealed, plain])).not.toContain('asaas-token')
    // A missing field keeps the stored value.
    await superUser.call(moneyApi.update, { body: { ...settings, provider: 'efi', efiSecret: '', asaasToken: '' } })
    expect((await loadMoneySettings(harness.wide())).secrets).toMatchObject({
      efiSecret: 'secret',
      asaasToken: 'asaas-token',
    })
  })
})

describe.each(['efi', 'asaas'] as const)('payments through the provider %s', (provider) => {
  const fake = () => (provider === 'efi' ? efi : asaas)
  /** The customer pays a charge at the provider; returns the webhook body. */
  const atBank = async (charge: Charge, cents?: number): Promise<object> => {
    if (provider === 'efi') return efi.pays(charge.txid, cents)
    const [payment] = [...asaas.payments.values()].filter((one) => one.externalReference === charge.txid)
    return asaas.pays(payment?.id as string, cents === undefined ? undefined : cents / 100)
  }
  beforeAll(() => paidThrough(provider))

  it('authenticates, and registers the webhook URL', async () => {
    expect(await superUser.call(moneyApi.test)).toEqual({ ok: true, problem: '' })
    const { hook } = await superUser.call(moneyApi.settings)
    expect(fake().hooks.map((one) => (typeof one === 'string' ? one : one.url))).toContain(hook)
    fake().failures.push({ kind: 'fail', status: 401, body: 'wrong key' })
    expect(await superUser.call(moneyApi.test)).toMatchObject({ ok: false, problem: expect.stringContaining('401') })
  })

  it('pays an invoice once, however often the webhook is repeated', async () => {
    const company = await companyDue(6)
    const socketClient = await company.admin.listen()
    const charge = await pay(company.admin, company.invoice.id)
    expect(charge).toMatchObject({
      provider,
      valor: { original: 90 },
      qrcode: { qrcode: expect.stringContaining(provider) },
    })
    const told = await atBank(charge)
    await Promise.all(Array.from({ length: 12 }, () => callWebhook(provider, told)))
    await socketClient.waitFor(`company-${company.id}-payment`, { action: 'CONCLUIDA' })
    await Promise.all([
      refreshCharge(harness.wide(), charge.id),
      refreshCharge(harness.wide(), charge.id),
      callWebhook(provider, told),
    ])
    await socketClient.whenCaughtUp()
    expect(socketClient.received.filter(({ name }) => name === `company-${company.id}-payment`)).toHaveLength(1)
    expect(await dueOf(company.id)).toBe(addMonths(company.dueDate, 1))
    expect(await company.admin.call(subscriptionApi.charge, { params: { id: charge.id } })).toMatchObject({
      status: 'paid',
    })
  })

  it('trusts no webhook, and pays nothing that the provider does not confirm', async () => {
    const company = await companyDue(6)
    const charge = await pay(company.admin, company.invoice.id)
    const lie =
      provider === 'efi'
        ? { pix: [{ endToEndId: 'E1', txid: charge.txid, valor: '90.00' }] }
        : { event: 'PAYMENT_RECEIVED', payment: { id: 'pay_none', externalReference: charge.txid, value: 90 } }
    expect((await callWebhook(provider, lie)).status).toBe(200)
    await refreshCharge(harness.wide(), charge.id)
    expect(await dueOf(company.id)).toBe(company.dueDate)
    const stranger = `/subscription/webhook/${provider}/${'x'.repeat(32)}`
    expect((await harness.anonymous.request('POST', stranger, lie)).status).toBe(400)
    if (provider === 'asaas') expect((await callWebhook('asaas', lie, 'another token')).status).toBe(400)
    for (const junk of [{}, { pix: 'x' }, { payment: 7 }, []])
      expect((await callWebhook(provider, junk as object)).status).toBeLessThan(500)
  })

  it('does not pay the invoice for less than its amount, and keeps the payment visible', async () => {
    const company = await companyDue(6)
    const charge = await pay(company.admin, company.invoice.id)
    await atBank(charge, 1)
    await refreshCharge(harness.wide(), charge.id)
    expect(await dueOf(company.id)).toBe(company.dueDate)
    const [payment] = (await listUnmatchedPayments()).payments
    expect(payment).toMatchObject({ value: 0.01, why: 'short', company: { id: company.id } })
    const params = { id: payment?.id as number }
    await expect(
      superUser.call(moneyApi.assign, { params, body: { invoiceId: company.invoice.id } }),
    ).rejects.toMatchObject({ code: 'ERR_PAYMENT_SHORT' })
    await superUser.call(moneyApi.settle, { params, body: { note: 'Devuelto' } })
    expect((await listUnmatchedPayments()).payments.map(({ id }) => id)).not.toContain(params.id)
  })

  it('accepts a late payment for an expired charge and a replaced invoice', async () => {
    const company = await companyDue(6)
    const charge = await pay(company.admin, company.invoice.id)
    await superUser.request('PUT', `/companies/${company.id}`, {
      ...{ name: company.name, email: '', phone: '', status: true, planId: 2, recurrence: 'MENSAL' },
      dueDate: addDays(today(), 9),
    })
    await atBank(charge)
    await endNow(charge)
    await harness.wide().enqueueJob('money:poll', {})
    await isPaid(company)
    expect(await dueOf(company.id)).toBe(addMonths(addDays(today(), 9), 1))
  })

  it('holds a second payment of an invoice for the super user, who assigns it to the next invoice', async () => {
    const company = await companyDue(6)
    const one = await pay(company.admin, company.invoice.id)
    await superUser.call(moneyApi.paid, { params: { id: company.invoice.id }, body: { note: 'Efectivo' } })
    await atBank(one)
    await refreshCharge(harness.wide(), one.id)
    const moved = addMonths(company.dueDate, 1)
    expect(await dueOf(company.id)).toBe(moved)
    const payment = (await listUnmatchedPayments()).payments.find(({ company: of }) => of?.id === company.id)
    expect(payment).toMatchObject({ why: 'settled', value: 90 })
    const next = await superUser.call(moneyApi.create, {
      body: { companyId: company.id, detail: 'Mes siguiente', value: 90, dueDate: moved, months: 1 },
    })
    const again = (await listUnmatchedPayments()).payments.find(({ id }) => id === payment?.id)
    expect(again?.guess).toMatchObject({ invoiceId: next.id })
    const assign = () => superUser.request('POST', `/money/payments/${payment?.id}/assign`, { invoiceId: next.id })
    expect((await Promise.all([assign(), assign()])).map(({ status }) => status).sort()).toEqual([200, 409])
    expect(await dueOf(company.id)).toBe(addMonths(moved, 1))
  })

  it('polls the provider if no webhook arrives, and loses no payment when the provider fails', async () => {
    const company = await companyDue(6)
    fake().failures.push({ kind: 'fail', status: 500 })
    await expect(pay(company.admin, company.invoice.id)).rejects.toMatchObject({ status: 502 })
    const charge = await pay(company.admin, company.invoice.id)
    await atBank(charge)
    await endNow(charge)
    await harness.wide().enqueueJob('money:poll', {})
    await isPaid(company)
    const checked = await company.admin.call(subscriptionApi.check, { params: { id: charge.id } })
    expect(checked.status).toBe('paid')
  })
})

it('finds the payment of an Asaas charge whose process died before it stored the reference', async () => {
  await paidThrough('asaas')
  const [byWebhook, byPolling] = [await companyDue(6), await companyDue(6)]
  for (const company of [byWebhook, byPolling]) {
    // The payment exists at Asaas, but the call for its code fails: nothing more is stored, as after a crash.
    const pass = { kind: 'late' as const, after: Promise.resolve() }
    asaas.failures.push(pass, pass, pass, { kind: 'fail', status: 500 })
    await expect(pay(company.admin, company.invoice.id)).rejects.toMatchObject({ status: 502 })
  }
  const paymentOf = (company: typeof byWebhook) =>
    [...asaas.payments.values()].findLast(({ customer }) => customer === asaas.customers.get(`recado-${company.id}`))
  await callWebhook('asaas', asaas.pays(paymentOf(byWebhook)?.id as string))
  await isPaid(byWebhook)
  asaas.pays(paymentOf(byPolling)?.id as string)
  harness.clock.advance(minutes(2))
  await harness.wide().enqueueJob('money:poll', {})
  await isPaid(byPolling)
  harness.clock.advance(-minutes(2))
})

it('refuses a payee name or city without Latin letters, and adds the country code to a telephone key', async () => {
  const refusedFields = async (more: object) =>
    (await superUser.request<{ fields?: object }>('PUT', '/money/settings', { ...settings, ...more })).body.fields
  expect(await refusedFields({ pixName: '東京' })).toEqual({ pixName: 'Invalid' })
  expect(await refusedFields({ pixCity: 'Київ' })).toEqual({ pixCity: 'Invalid' })
  expect(await refusedFields({ pixKey: 'una clave' })).toEqual({ pixKey: 'Invalid' })
  expect((await paidThrough('pix', { pixKey: '(11) 98765-4321' })).pixKey).toBe('+5511987654321')
})

it('shows the super user payments that match no charge', async () => {
  await paidThrough('efi')
  const told = efi.sends(4242)
  await callWebhook('efi', told)
  await callWebhook('efi', told)
  await vi.waitFor(
    async () =>
      expect((await listUnmatchedPayments()).payments.filter(({ value }) => value === 42.42)).toMatchObject([
        { why: 'unknown', payer: 'Marta Acosta', company: null },
      ]),
    { timeout: waitTimeoutMs, interval: 30 },
  )
})

it('pays each invoice at most once and never shortens a due date, in any order of events', async () => {
  await paidThrough('efi')
  const twin = await startSecondProcess(harness)
  const elsewhere = () => new Scope(twin.deps, { companyId: 0, wide: true })
  const actions = ['charge', 'bank', 'short', 'hook', 'look', 'elsewhere', 'hand', 'write', 'die'] as const
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...actions), { minLength: 4, maxLength: 14 }), async (order) => {
      const company = await companyDue(3)
      const charges: Charge[] = []
      const told: object[] = []
      let due = company.dueDate
      const act: Record<(typeof actions)[number], () => Promise<unknown>> = {
        charge: async () => charges.push(await pay(company.admin, null)),
        bank: async () => charges.at(-1) && told.push(efi.pays((charges.at(-1) as Charge).txid)),
        short: async () => charges.at(-1) && told.push(efi.pays((charges.at(-1) as Charge).txid, 100)),
        hook: async () => Promise.all(told.map((one) => callWebhook('efi', one))),
        look: async () => Promise.all(charges.map(({ id }) => refreshCharge(harness.wide(), id))),
        elsewhere: async () =>
          Promise.all(charges.flatMap(({ id }) => [refreshCharge(harness.wide(), id), refreshCharge(elsewhere(), id)])),
        hand: async () => {
          const open = (await company.admin.call(invoicesApi.all)).find(({ status }) => status === 'open')
          return open && superUser.request('POST', `/money/invoices/${open.id}/paid`, { note: '' })
        },
        write: () => Promise.all([writeDueInvoices(harness.wide()), writeDueInvoices(elsewhere())]),
        die: async () => {
          const [first] = charges
          const got = {
            provider: 'efi' as const,
            reference: 'never',
            txid: first?.txid ?? 'x',
            cents: 9000,
            payer: '',
            paidAt: harness.clock.now(),
          }
          await harness
            .wide()
            .transaction(async (tx) => {
              await receivePayment(tx, got)
              throw new Error('killed')
            })
            .catch(() => undefined)
        },
      }
      for (const one of order) {
        await act[one]().catch((error: Error) => {
          if (!/ERR_/.test(error.message)) throw error
        })
        const now = (await dueOf(company.id)) as string
        expect(now >= due).toBe(true)
        due = now
      }
      const { invoices } = await superUser.call(moneyApi.invoices, { query: { companyId: company.id } })
      const paid = invoices.filter(({ status }) => status === 'paid').length
      expect(due).toBe(addMonths(company.dueDate, paid))
      const { rows } = await harness.wide().db.executeQuery<{ n: number }>(
        harness
          .wide()
          .db.selectFrom('payments')
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .where('state', '=', 'used')
          .where('invoiceId', 'in', invoices.length ? invoices.map(({ id }) => id) : [0])
          .compile(),
      )
      expect(rows[0]?.n ?? 0).toBeLessThanOrEqual(paid)
    }),
    { numRuns: 12 },
  )
})
