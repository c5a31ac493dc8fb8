import { topics } from '@recado/contract/live'
import type { ProviderName } from '@recado/contract/money/invoices'
import { dayIn } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { lastMoment, tellCompanies } from '../company-view.ts'
import { zoneOf } from '../settings.ts'
import { writeChange, writeHistory } from './history.ts'
import { holdCompany, type InvoiceRow, movedDueDate, writeNext } from './invoices.ts'

type How = { by: ProviderName | 'hand'; at: Date; note?: string }

/**
 * Pays an open invoice: it, the due date and the plan in one transaction, which is the caller's. Whoever comes second,
 * from whichever process, finds it paid: then nothing moves, and the answer is null.
 */
export async function payInvoice(
  scope: Scope,
  { id, companyId }: Pick<InvoiceRow, 'id' | 'companyId'>,
  { by, at, note = '' }: How,
): Promise<InvoiceRow | null> {
  const company = await holdCompany(scope, companyId)
  const paid = await scope.db
    .updateTable('invoices')
    .set({ status: 'paid', paidAt: at, paidBy: by, note })
    .where('id', '=', id)
    .where('companyId', '=', companyId)
    .where('status', '=', 'open')
    .returningAll()
    .executeTakeFirst()
  if (!paid) return null
  const home = scope.of(companyId)
  const zone = await zoneOf(home)
  const dueDate = movedDueDate(company.dueDate, dayIn(scope.now(), zone), paid.months)
  const planId = paid.kind === 'change' && paid.planId ? paid.planId : company.planId
  const row = await scope.db
    .updateTable('companies')
    .set({ dueDate, planId })
    .where('id', '=', companyId)
    .returningAll()
    .executeTakeFirstOrThrow()
  const { cents } = paid
  const who = by === 'hand' ? scope.person?.name : undefined
  await writeHistory(scope, companyId, [{ kind: 'paid', invoiceId: id, cents, way: by, note, by: who }])
  await writeChange(scope, company, row, who)
  await writeNext(scope, row)
  const [shown] = await tellCompanies(scope, [row])
  home.live(topics.payment, {
    action: 'CONCLUIDA',
    company: { id: companyId, dueDate: shown?.dueDate ?? (lastMoment(dayIn(scope.now(), zone), zone) as string) },
  })
  return paid
}
