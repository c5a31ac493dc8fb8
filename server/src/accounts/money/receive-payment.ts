import { pixCurrency } from '@recado/contract/money/currency'
import type { PaymentProviderName } from '@recado/contract/money/invoices'
import type { Selectable } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { type InvoiceRow, lockCompany } from './invoices.ts'
import { writeMoneyEvents } from './money-history.ts'
import { payInvoice } from './pay-invoice.ts'

export type ChargeRow = Selectable<DB['charges']>
/** A received payment, as the provider reports it when queried. */
export type ReceivedPayment = {
  provider: PaymentProviderName
  /** The provider's id of this payment. */
  reference: string
  txid: string
  cents: number
  payer: string
  paidAt: Date
}

/**
 * Records a payment once, and pays the matching invoice. A payment that matches no invoice waits for the super user: no
 * payment is dropped. Everything happens in one transaction, so a process that dies in it leaves nothing behind.
 */
export async function receivePayment(scope: Scope, got: ReceivedPayment): Promise<void> {
  await scope.transaction(async (tx) => {
    const charge = await findCharge(tx, got)
    const { provider, reference, txid, cents, payer, paidAt } = got
    const payment = await tx.db
      .insertInto('payments')
      .values({ provider, reference, txid, cents, payer, paidAt, chargeId: charge?.id ?? null, createdAt: tx.now() })
      .onConflict((c) => c.constraint('payments_reference_key').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!payment || !charge) return
    const { companyId, invoiceId } = charge
    await writeMoneyEvents(tx, companyId, [
      { kind: 'received', invoiceId, cents, currency: pixCurrency, way: provider, note: reference },
    ])
    const outcome = await applyPayment(tx, charge, got)
    await tx.db.updateTable('payments').set(outcome).where('id', '=', payment.id).execute()
    if (outcome.state === 'used')
      await tx.db.updateTable('charges').set({ status: 'paid', lookAt: null }).where('id', '=', charge.id).execute()
  })
}

const findCharge = (scope: Scope, { provider, txid }: ReceivedPayment): Promise<ChargeRow | undefined> =>
  scope.db
    .selectFrom('charges')
    .selectAll()
    .where('provider', '=', provider)
    .where('txid', '=', txid)
    .executeTakeFirst()

type PaymentOutcome = Pick<Selectable<DB['payments']>, 'state' | 'why' | 'invoiceId'>

async function applyPayment(
  scope: Scope,
  { companyId, invoiceId }: ChargeRow,
  payment: ReceivedPayment,
): Promise<PaymentOutcome> {
  // The company is locked first, so that the invoice is not replaced meanwhile.
  await lockCompany(scope, companyId)
  const invoice = await findCurrentInvoice(scope, companyId, invoiceId)
  // The company's currency changed after the code was made: the invoice that the code was for is closed.
  if (invoice.currency !== pixCurrency) return { state: 'waiting', why: 'settled', invoiceId }
  // An underpayment pays nothing.
  if (payment.cents < invoice.cents) return { state: 'waiting', why: 'short', invoiceId: invoice.id }
  const paid = await payInvoice(scope, invoice, { paidBy: payment.provider, paidAt: payment.paidAt })
  return paid
    ? { state: 'used', why: 'fits', invoiceId: invoice.id }
    : { state: 'waiting', why: 'settled', invoiceId: invoice.id }
}

/** Finds an invoice, or the invoice that replaced it. */
async function findCurrentInvoice(scope: Scope, companyId: number, id: number): Promise<InvoiceRow> {
  const invoice = await scope.db
    .selectFrom('invoices')
    .selectAll()
    .where('companyId', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return invoice.replacedById ? findCurrentInvoice(scope, companyId, invoice.replacedById) : invoice
}
