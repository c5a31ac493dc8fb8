import { topics } from '@recado/contract/live'
import type { PaymentProviderName } from '@recado/contract/money/invoices'
import { toCalendarDay } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { endOfDueDay, publishCompanies } from '../company-view.ts'
import { loadCompanyTimeZone } from '../settings.ts'
import { advanceDueDate, type InvoiceRow, lockCompany, writeNextInvoice } from './invoices.ts'
import { writeMoneyEvents, writeSubscriptionChange } from './money-history.ts'

type PaymentDetails = { paidBy: PaymentProviderName | 'hand'; paidAt: Date; note?: string }

/**
 * Pays an open invoice: updates the invoice, the due date and the plan in the caller's transaction. A second call,
 * from any process, finds the invoice paid, changes nothing and returns null.
 */
export async function payInvoice(
  scope: Scope,
  { id, companyId }: Pick<InvoiceRow, 'id' | 'companyId'>,
  { paidBy: by, paidAt: at, note = '' }: PaymentDetails,
): Promise<InvoiceRow | null> {
  const company = await lockCompany(scope, companyId)
  const paid = await scope.db
    .updateTable('invoices')
    .set({ status: 'paid', paidAt: at, paidBy: by, note })
    .where('id', '=', id)
    .where('companyId', '=', companyId)
    .where('status', '=', 'open')
    .returningAll()
    .executeTakeFirst()
  if (!paid) return null
  const companyScope = scope.forCompany(companyId)
  const zone = await loadCompanyTimeZone(companyScope)
  const due = advanceDueDate(company, toCalendarDay(scope.now(), zone), paid.months)
  const planId = paid.kind === 'change' && paid.planId ? paid.planId : company.planId
  const row = await scope.db
    .updateTable('companies')
    .set({ dueDate: due.dueDate, billingDay: due.billingDay, planId })
    .where('id', '=', companyId)
    .returningAll()
    .executeTakeFirstOrThrow()
  const { cents, currency } = paid
  const userName = by === 'hand' ? scope.person?.name : undefined
  await writeMoneyEvents(scope, companyId, [
    { kind: 'paid', invoiceId: id, cents, currency, way: by, note, by: userName },
  ])
  await writeSubscriptionChange(scope, company, row, userName)
  await writeNextInvoice(scope, row)
  const [shown] = await publishCompanies(scope, [row])
  companyScope.live(topics.payment, {
    action: 'CONCLUIDA',
    company: {
      id: companyId,
      dueDate: shown?.dueDate ?? (endOfDueDay(toCalendarDay(scope.now(), zone), zone) as string),
    },
  })
  return paid
}
