import { pixCurrency } from '@recado/contract/money/currency'
import type { PaymentProviderName } from '@recado/contract/money/invoices'
import { fromCents, hasPaymentWebhook } from '@recado/contract/money/invoices'
import type { Charge, Checkout } from '@recado/contract/money/subscription'
import type { z } from 'zod'
import { addMs, days, minutes } from '../../kernel/clock.ts'
import { type Deps, Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { asExternalCallJob, type JobHandlers, outboundLaneName } from '../../kernel/jobs.ts'
import { type CompanyRow, type InvoiceRow, lockCompany, writeNextInvoice } from './invoices.ts'
import { writeMoneyEvents } from './money-history.ts'
import { loadMoneySettings, makeProvider } from './money-settings.ts'
import type { PaymentHint, PaymentProvider } from './payment-provider.ts'
import { type ChargeRow, receivePayment } from './receive-payment.ts'

declare module '../../kernel/jobs.ts' {
  interface Jobs {
    'money:look': { chargeId: number }
    'money:confirm': { provider: PaymentProviderName; reference: string }
    'money:poll': Record<string, never>
  }
}

/** A code that expires sooner than this is not shown again. */
const minRemainingMs = minutes(5)
/** A charge is still polled for this long after it expired: banks can be late. */
const latePaymentMs = days(7)
/** A number of days ahead that no company ever pays for. */
const anyDaysAhead = 10_000

export const presentCharge = (row: ChargeRow): Charge => ({
  ...row,
  qrcode: { qrcode: row.code },
  valor: { original: fromCents(row.cents) },
})

type Bill = { company: CompanyRow; invoice: InvoiceRow }

/** The invoice to pay: the requested invoice, or the company's next invoice, created now if needed. */
async function findBill(scope: Scope, companyId: number, invoiceId: number | null): Promise<Bill> {
  const company = await lockCompany(scope, companyId)
  const next = invoiceId === null ? await writeNextInvoice(scope, company, anyDaysAhead) : null
  const id = invoiceId ?? next?.id
  const invoice = id
    ? await scope.db
        .selectFrom('invoices')
        .selectAll()
        .where('companyId', '=', companyId)
        .where('id', '=', id)
        .executeTakeFirst()
    : undefined
  if (!invoice) throw new AppError('ERR_NO_INVOICE_FOUND')
  if (invoice.status !== 'open') throw new AppError('ERR_INVOICE_SETTLED')
  return { company, invoice }
}

/** Stores billing data entered at checkout. Values the company entered itself are kept. */
async function saveBillingDetails(
  scope: Scope,
  company: CompanyRow,
  checkout: z.output<typeof Checkout>,
): Promise<void> {
  const billingDetails = {
    billingName: `${checkout.firstName} ${checkout.lastName}`.trim(),
    addressStreet: checkout.address2,
    addressCity: checkout.city,
    addressState: checkout.state,
    addressZipCode: checkout.zipcode,
    addressCountry: checkout.country,
  }
  const changedFields = Object.entries(billingDetails).filter(
    ([name, value]) => value && !company[name as keyof typeof billingDetails],
  )
  if (changedFields.length)
    await scope.db
      .updateTable('companies')
      .set(Object.fromEntries(changedFields))
      .where('id', '=', company.id)
      .execute()
}

/**
 * Creates a payment code for an invoice. The row is written before the provider is called, so that a payment can always
 * be matched, even if the process dies in between. If the invoice already has a valid code, that code is returned.
 */
export async function openCharge(
  scope: Scope,
  companyId: number,
  checkout: z.output<typeof Checkout>,
): Promise<Charge> {
  const settings = await loadMoneySettings(scope)
  const provider = makeProvider(settings)
  const bill = await scope.transaction(async (tx) => {
    const found = await findBill(tx, companyId, checkout.invoiceId)
    if (found.invoice.currency !== pixCurrency) throw new AppError('ERR_PAYMENT_CURRENCY')
    if (!provider) throw new AppError('ERR_PAYMENT_NOT_SET')
    await saveBillingDetails(tx, found.company, checkout)
    return { company: await lockCompany(tx, companyId), invoice: found.invoice, provider }
  })
  const liveCharge = await findLiveCharge(scope, bill.invoice, settings.provider)
  if (liveCharge) return presentCharge(liveCharge)
  const { id: invoiceId, cents, dueDate, detail } = bill.invoice
  const txid = bill.provider.newTxid(invoiceId)
  const lookAt = hasPaymentWebhook[settings.provider] ? addMs(scope.now(), minutes(1)) : null
  const row = await scope.db
    .insertInto('charges')
    // `lookAt`: the provider is also asked about a charge whose process died before its code was stored.
    .values({
      companyId,
      invoiceId,
      provider: settings.provider,
      txid,
      code: '',
      cents,
      createdAt: scope.now(),
      lookAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const createdCharge = await bill.provider.createCharge(scope, {
    company: bill.company,
    txid,
    cents,
    dueDate,
    description: `#${invoiceId} ${detail}`,
  })
  const charge = await scope.db
    .updateTable('charges')
    .set({ ...createdCharge, lookAt })
    .where('id', '=', row.id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const by = scope.person?.name
  await writeMoneyEvents(scope, companyId, [
    { kind: 'charged', invoiceId, cents, currency: pixCurrency, way: settings.provider, note: txid, by },
  ])
  return presentCharge(charge)
}

const findLiveCharge = (scope: Scope, { id, companyId, cents }: InvoiceRow, provider: PaymentProviderName) =>
  scope.db
    .selectFrom('charges')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('invoiceId', '=', id)
    .where('provider', '=', provider)
    .where('cents', '=', cents)
    .where('status', '=', 'open')
    .where('code', '!=', '')
    .where(({ or, eb }) =>
      or([eb('expiresAt', 'is', null), eb('expiresAt', '>', addMs(scope.now(), minRemainingMs).toISOString())]),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** Queries the provider for the state of a charge, books payments, and schedules the next check. */
export async function refreshCharge(scope: Scope, chargeId: number): Promise<void> {
  const charge = await scope.db.selectFrom('charges').selectAll().where('id', '=', chargeId).executeTakeFirst()
  if (!charge) return
  const provider = makeProvider(await loadMoneySettings(scope), charge.provider)
  if (!provider) return
  for (const payment of await provider.listPayments(scope, charge)) await receivePayment(scope, payment)
  await scope.db
    .updateTable('charges')
    .set(nextCheck(charge, scope.now()))
    .where('id', '=', chargeId)
    .where('status', '=', 'open')
    .execute()
}

/** The time of the next check: soon while the customer waits at the screen, then at growing intervals. */
function nextCheck({ createdAt, expiresAt }: ChargeRow, now: Date): { lookAt: Date | null; status?: 'over' } {
  const age = now.getTime() - Date.parse(createdAt)
  // A charge without an expiry was never shown: its process died before the code was stored.
  const isOver = now.getTime() > Date.parse(expiresAt ?? createdAt) + latePaymentMs
  return isOver ? { lookAt: null, status: 'over' } : { lookAt: addMs(now, Math.max(minutes(1), age / 4)) }
}

/** A webhook is only a hint which charge to check. A thousand duplicates cause one check. */
export async function followPaymentHints(scope: Scope, name: PaymentProviderName, hints: PaymentHint[]): Promise<void> {
  for (const { txid, reference } of hints) {
    const charge = await scope.db
      .selectFrom('charges')
      .select('id')
      .where('provider', '=', name)
      .where(({ or, eb }) =>
        or([eb('txid', '=', txid), eb.and([eb('reference', '=', reference), eb('reference', '!=', '')])]),
      )
      .executeTakeFirst()
    if (charge)
      await scope.enqueueJob(
        'money:look',
        { chargeId: charge.id },
        { key: `money:look:${charge.id}`, queue: outboundLaneName('money', charge.id) },
      )
    else
      await scope.enqueueJob(
        'money:confirm',
        { provider: name, reference },
        {
          key: `money:confirm:${name}:${reference}`,
          queue: outboundLaneName('money', 0),
          attempts: 4,
        },
      )
  }
}

const makeWideScope = (deps: Deps) => new Scope(deps, { companyId: 0, wide: true })

/** A payment that belongs to no known charge: if the provider confirms it, the super user sees it. */
async function confirmPayment(scope: Scope, provider: PaymentProvider | null, reference: string): Promise<void> {
  const payment = await provider?.confirmPayment(scope, reference)
  if (payment) await receivePayment(scope, payment)
}

/** Checks charges that are due, in case webhooks do not arrive. */
async function pollCharges(scope: Scope): Promise<void> {
  await scope.transaction(async (tx) => {
    const now = tx.now()
    const due = await tx.db
      .selectFrom('charges')
      .select('id')
      .where('lookAt', '<=', now.toISOString())
      .orderBy('lookAt')
      .limit(200)
      .execute()
    for (const { id } of due)
      await tx.enqueueJob(
        'money:look',
        { chargeId: id },
        { key: `money:look:${id}`, queue: outboundLaneName('money', id) },
      )
  })
}

export const chargeJobs = (deps: Deps): Pick<JobHandlers, 'money:look' | 'money:confirm' | 'money:poll'> => ({
  'money:look': asExternalCallJob(async ({ chargeId }) => refreshCharge(makeWideScope(deps), chargeId)),
  'money:confirm': asExternalCallJob(async ({ provider, reference }) => {
    const scope = makeWideScope(deps)
    await confirmPayment(scope, makeProvider(await loadMoneySettings(scope), provider), reference)
  }),
  'money:poll': () => pollCharges(makeWideScope(deps)),
})

/** "I have paid": queries the provider now; without a provider, notifies the super user. */
export async function claimChargePaid(scope: Scope, companyId: number, id: number): Promise<Charge> {
  const charge = await findOwnCharge(scope, companyId, id)
  if (charge.status === 'open') {
    if (hasPaymentWebhook[charge.provider]) await refreshCharge(scope, id)
    else await scope.transaction((tx) => markInvoiceClaimed(tx, companyId, charge.invoiceId))
  }
  return presentCharge(await findOwnCharge(scope, companyId, id))
}

/** "I have paid" without a code, such as by bank transfer: the super user checks the account. */
export const claimInvoicePaid = (scope: Scope, companyId: number, invoiceId: number | null): Promise<InvoiceRow> =>
  scope.transaction(async (tx) => {
    const { invoice } = await findBill(tx, companyId, invoiceId)
    return (await markInvoiceClaimed(tx, companyId, invoice.id)) ?? invoice
  })

/** Records the company's claim that an invoice is paid. Null: the invoice is not open. */
async function markInvoiceClaimed(scope: Scope, companyId: number, invoiceId: number): Promise<InvoiceRow | null> {
  const claimed = await scope.db
    .updateTable('invoices')
    .set({ claimedAt: scope.now() })
    .where('companyId', '=', companyId)
    .where('id', '=', invoiceId)
    .where('status', '=', 'open')
    .returningAll()
    .executeTakeFirst()
  if (!claimed) return null
  const { cents, currency } = claimed
  await writeMoneyEvents(scope, companyId, [{ kind: 'claimed', invoiceId, cents, currency, by: scope.person?.name }])
  return claimed
}

/** Finds a charge of this company. If its invoice was paid in another way, the charge is over. */
export async function findOwnCharge(scope: Scope, companyId: number, id: number): Promise<ChargeRow> {
  const found = await scope.db
    .selectFrom('charges as c')
    .innerJoin('invoices as i', (join) =>
      join.onRef('i.companyId', '=', 'c.companyId').onRef('i.id', '=', 'c.invoiceId'),
    )
    .selectAll('c')
    .select('i.status as of')
    .where('c.companyId', '=', companyId)
    .where('c.id', '=', id)
    .executeTakeFirst()
  if (!found) throw new AppError('ERR_NO_CHARGE_FOUND')
  const { of: invoiceStatus, ...charge } = found
  return invoiceStatus === 'paid' ? { ...charge, status: 'paid' } : charge
}
