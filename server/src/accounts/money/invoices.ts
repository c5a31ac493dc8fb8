import { recurrenceMonths } from '@recado/contract/companies'
import type { Currency } from '@recado/contract/money/currency'
import { fromCents, type Invoice, toCents } from '@recado/contract/money/invoices'
import { priceForCompany } from '@recado/contract/plans'
import { settingDefinitions } from '@recado/contract/settings'
import type { Selectable } from 'kysely'
import { addDays, addMonths, dayOfMonth, onDayOfMonth, toCalendarDay } from '../../kernel/clock.ts'
import { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { forEachCollectErrors } from '../../kernel/jobs.ts'
import { endOfDueDay } from '../company-view.ts'
import { loadCompanyTimeZone } from '../settings.ts'
import { writeMoneyEvents } from './money-history.ts'

export type CompanyRow = Selectable<DB['companies']>
export type InvoiceRow = Selectable<DB['invoices']>

/** Invoices are created this many days before their due date. */
export const invoiceDaysAhead = 20

/** Billing tables belong to the platform: a company's admin makes the request, and the platform scope writes. */
export const toPlatformScope = ({ deps, companyId, person }: Scope): Scope =>
  new Scope(deps, { companyId, person, wide: true })

export const presentInvoice = (row: InvoiceRow, zone: string | null): Invoice => ({
  ...row,
  value: fromCents(row.cents),
  dueDate: endOfDueDay(row.dueDate, zone ?? settingDefinitions.timezone.default) as string,
  dueDay: row.dueDate,
})

/** The history entry for a new invoice. */
export const invoiceWrittenEvent = ({ id, cents, currency, detail, dueDate }: InvoiceRow, by?: string) =>
  ({ kind: 'written', invoiceId: id, cents, currency, note: detail, after: dueDate, by }) as const

/** Locks the company row, so that changes of its due date, plan or invoices are serialized. */
export const lockCompany = (scope: Scope, id: number): Promise<CompanyRow> =>
  scope.db
    .selectFrom('companies')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new AppError('ERR_NO_COMPANY_FOUND'))

/** Months that one payment covers. */
export const monthsPerPayment = ({ recurrence }: Pick<CompanyRow, 'recurrence'>): number =>
  recurrenceMonths[recurrence ?? 'MENSAL']

type DuePeriod = Pick<CompanyRow, 'dueDate' | 'billingDay'>

/** The due date after a payment, counted from the current due date, or from today if it has passed. It never moves back. */
export function advanceDueDate(due: DuePeriod, today: string, months: number): DuePeriod {
  const { dueDate } = due
  if (!dueDate || !months) return due
  return dueDate < today ? moveDueDate({ dueDate: today, billingDay: null }, months) : moveDueDate(due, months)
}

/** Moves a due date by months. The day of the month is remembered, so a short month does not shorten all later ones. */
export function moveDueDate({ dueDate, billingDay }: DuePeriod, months: number): DuePeriod {
  if (!dueDate) return { dueDate, billingDay }
  // If the due date was moved by hand, or by a release without billing days, the billing day does not match and is
  // taken from the due date.
  const day = billingDay !== null && onDayOfMonth(dueDate, billingDay) === dueDate ? billingDay : dayOfMonth(dueDate)
  return { dueDate: onDayOfMonth(addMonths(dueDate, months), day), billingDay: day }
}

const planInvoicesQuery = (scope: Scope, companyId: number) =>
  scope.db.selectFrom('invoices').selectAll().where('companyId', '=', companyId).where('kind', '=', 'plan')

/** Whether an open invoice still matches the company's period, plan, recurrence and currency. A manual one always does. */
function isInvoiceCurrent(
  one: InvoiceRow,
  { dueDate, planId, recurrence }: CompanyRow,
  currency: Currency | undefined,
): boolean {
  if (one.kind === 'hand') return true
  if (one.dueDate !== dueDate) return false
  if (currency && one.currency !== currency) return false
  return one.kind === 'plan'
    ? one.planId === planId && one.months === monthsPerPayment({ recurrence })
    : one.planId !== planId
}

/**
 * The invoice for the company's due date, created if missing; repeated or parallel calls create only one. It replaces
 * open invoices for another date, plan, recurrence or currency. Lock the company first. `days`: how far ahead invoices are
 * created.
 */
export async function writeNextInvoice(
  scope: Scope,
  company: CompanyRow,
  days = invoiceDaysAhead,
): Promise<InvoiceRow | null> {
  const openInvoices = await scope.db
    .selectFrom('invoices')
    .selectAll()
    .where('companyId', '=', company.id)
    .where('status', '=', 'open')
    .execute()
  const plan = company.planId ? await loadPlan(scope, company.planId) : undefined
  const price = plan && priceForCompany(plan, company.currency)
  const stale = openInvoices.filter((one) => !isInvoiceCurrent(one, company, price?.currency))
  const updateInvoices = (ids: number[], values: { status?: 'replaced'; replacedById?: number }) =>
    ids.length ? scope.db.updateTable('invoices').set(values).where('id', 'in', ids).execute() : null
  await updateInvoices(
    stale.map(({ id }) => id),
    { status: 'replaced' },
  )
  await writeMoneyEvents(
    scope,
    company.id,
    stale.map(({ id, cents, currency, detail }) => ({
      kind: 'replaced',
      invoiceId: id,
      cents,
      currency,
      note: detail,
    })),
  )
  const nextInvoice = plan ? await findOrWriteNext(scope, company, plan, days) : null
  // A plan-change invoice for the rest of a period is not replaced by the invoice of the next period.
  if (nextInvoice)
    await updateInvoices(
      stale.filter(({ kind }) => kind === 'plan').map(({ id }) => id),
      { replacedById: nextInvoice.id },
    )
  return nextInvoice
}

const loadPlan = (scope: Scope, id: number) =>
  scope.db.selectFrom('plans').selectAll().where('id', '=', id).executeTakeFirst()

async function findOrWriteNext(
  scope: Scope,
  company: CompanyRow,
  plan: Selectable<DB['plans']>,
  days: number,
): Promise<InvoiceRow | null> {
  const { id: companyId, dueDate } = company
  if (company.platform || !company.status || !dueDate) return null
  if (dueDate > addDays(toCalendarDay(scope.now(), await loadCompanyTimeZone(scope.forCompany(companyId))), days))
    return null
  const findExisting = () =>
    planInvoicesQuery(scope, companyId)
      .where('dueDate', '=', dueDate)
      .where('status', '!=', 'replaced')
      .executeTakeFirst()
  const known = await findExisting()
  if (known) return known
  const months = monthsPerPayment(company)
  const { value, currency } = priceForCompany(plan, company.currency)
  const cents = toCents(value) * months
  if (!cents) return null
  const values = { companyId, detail: plan.name, cents, currency, dueDate, months, planId: plan.id }
  const newInvoice = await scope.db
    .insertInto('invoices')
    .values({ ...values, kind: 'plan', createdAt: scope.now() })
    .onConflict((c) =>
      c.columns(['companyId', 'dueDate']).where('kind', '=', 'plan').where('status', '!=', 'replaced').doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
  if (newInvoice) await writeMoneyEvents(scope, companyId, [invoiceWrittenEvent(newInvoice)])
  return newInvoice ?? (await findExisting()) ?? null
}

/** Updates a company's invoices after its plan, due date or status changed. */
export async function renewInvoices(scope: Scope, companyId: number): Promise<void> {
  await writeNextInvoice(scope, await lockCompany(scope, companyId))
}

/** Creates invoices for every company that becomes due, in one small transaction each, so that no lock is held for long. */
export async function writeDueInvoices(scope: Scope): Promise<void> {
  // The zone whose days begin first, so that "today" of every company is covered.
  const until = addDays(toCalendarDay(scope.now(), 'Pacific/Kiritimati'), invoiceDaysAhead)
  const due = await scope.db
    .selectFrom('companies as c')
    .select('c.id')
    .where('c.platform', '=', false)
    .where('c.status', '=', true)
    .where('c.dueDate', '<=', until)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('invoices as i')
            .select('i.id')
            .whereRef('i.companyId', '=', 'c.id')
            .whereRef('i.dueDate', '=', 'c.dueDate')
            .where('i.kind', '=', 'plan')
            .where('i.status', '!=', 'replaced'),
        ),
      ),
    )
    .orderBy('c.id')
    .execute()
  await forEachCollectErrors(due, ({ id }) => scope.transaction((tx) => renewInvoices(tx, id)))
}
