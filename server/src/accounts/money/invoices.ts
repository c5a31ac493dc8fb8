import { recurrenceMonths } from '@recado/contract/companies'
import { fromCents, type Invoice, toCents } from '@recado/contract/money/invoices'
import { settingDefinitions } from '@recado/contract/settings'
import type { Selectable } from 'kysely'
import { addDays, addMonths, toCalendarDay } from '../../kernel/clock.ts'
import { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { forEachCollectErrors } from '../../kernel/jobs.ts'
import { endOfDueDay } from '../company-view.ts'
import { loadCompanyTimeZone } from '../settings.ts'
import { writeMoneyEvents } from './money-history.ts'

export type CompanyRow = Selectable<DB['companies']>
export type InvoiceRow = Selectable<DB['invoices']>

/** So long before its date an invoice is written. */
export const invoiceDaysAhead = 20

/** Money is the platform's affair: a company's admin asks, and the platform writes. */
export const toPlatformScope = ({ means, companyId, person }: Scope): Scope =>
  new Scope(means, { companyId, person, wide: true })

export const presentInvoice = (row: InvoiceRow, zone: string | null): Invoice => ({
  ...row,
  value: fromCents(row.cents),
  dueDate: endOfDueDay(row.dueDate, zone ?? settingDefinitions.timezone.default) as string,
  dueDay: row.dueDate,
})

/** How it came to be. */
export const invoiceWrittenEvent = ({ id, cents, detail, dueDate }: InvoiceRow, by?: string) =>
  ({ kind: 'written', invoiceId: id, cents, note: detail, after: dueDate, by }) as const

/** The company, held: whoever changes its due date, its plan or what it owes goes one after the other. */
export const lockCompany = (scope: Scope, id: number): Promise<CompanyRow> =>
  scope.db
    .selectFrom('companies')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new AppError('ERR_NO_COMPANY_FOUND'))

/** Months that one payment lasts. */
export const monthsPerPayment = ({ recurrence }: Pick<CompanyRow, 'recurrence'>): number =>
  recurrenceMonths[recurrence ?? 'MENSAL']

/** Where a payment moves the due date: on from where it is, or from today if that has passed. It never goes back. */
export function advanceDueDate(dueDate: string | null, today: string, months: number): string | null {
  if (!dueDate || !months) return dueDate
  return addMonths(dueDate > today ? dueDate : today, months)
}

const planInvoicesQuery = (scope: Scope, companyId: number) =>
  scope.db.selectFrom('invoices').selectAll().where('companyId', '=', companyId).where('kind', '=', 'plan')

/** What the company owes for this period and the next is still what it says. What was written by hand always is. */
function isInvoiceCurrent(one: InvoiceRow, { dueDate, planId, recurrence }: CompanyRow): boolean {
  if (one.kind === 'hand') return true
  if (one.dueDate !== dueDate) return false
  return one.kind === 'plan'
    ? one.planId === planId && one.months === monthsPerPayment({ recurrence })
    : one.planId !== planId
}

/**
 * The invoice for the company's due date, written if there is none yet: one, whoever asks and how often. What was open
 * for another date, plan or recurrence is replaced by it. Hold the company first. `days`: how far ahead to look.
 */
export async function writeNextInvoice(
  scope: Scope,
  company: CompanyRow,
  days = invoiceDaysAhead,
): Promise<InvoiceRow | null> {
  const open = await scope.db
    .selectFrom('invoices')
    .selectAll()
    .where('companyId', '=', company.id)
    .where('status', '=', 'open')
    .execute()
  const stale = open.filter((one) => !isInvoiceCurrent(one, company))
  const set = (ids: number[], values: { status?: 'replaced'; replacedById?: number }) =>
    ids.length ? scope.db.updateTable('invoices').set(values).where('id', 'in', ids).execute() : null
  await set(
    stale.map(({ id }) => id),
    { status: 'replaced' },
  )
  await writeMoneyEvents(
    scope,
    company.id,
    stale.map(({ id, cents, detail }) => ({ kind: 'replaced', invoiceId: id, cents, note: detail })),
  )
  const written = await findOrWriteNext(scope, company, monthsPerPayment(company), days)
  // The rest of a period on another plan is nothing that the next period could stand for.
  if (written)
    await set(
      stale.filter(({ kind }) => kind === 'plan').map(({ id }) => id),
      { replacedById: written.id },
    )
  return written
}

async function findOrWriteNext(
  scope: Scope,
  company: CompanyRow,
  months: number,
  days: number,
): Promise<InvoiceRow | null> {
  const { id: companyId, dueDate, planId } = company
  if (company.platform || !company.status || !dueDate || !planId) return null
  if (dueDate > addDays(toCalendarDay(scope.now(), await loadCompanyTimeZone(scope.of(companyId))), days)) return null
  const there = () =>
    planInvoicesQuery(scope, companyId)
      .where('dueDate', '=', dueDate)
      .where('status', '!=', 'replaced')
      .executeTakeFirst()
  const known = await there()
  if (known) return known
  const plan = await scope.db.selectFrom('plans').select(['name', 'value']).where('id', '=', planId).executeTakeFirst()
  const cents = toCents(plan?.value ?? 0) * months
  if (!plan || !cents) return null
  const values = { companyId, detail: plan.name, cents, dueDate, kind: 'plan' as const, months, planId }
  const made = await scope.db
    .insertInto('invoices')
    .values({ ...values, createdAt: scope.now() })
    .onConflict((c) =>
      c.columns(['companyId', 'dueDate']).where('kind', '=', 'plan').where('status', '!=', 'replaced').doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
  if (made) await writeMoneyEvents(scope, companyId, [invoiceWrittenEvent(made)])
  return made ?? (await there()) ?? null
}

/** What a company owes after its plan, its due date or its standing changed. */
export async function renewInvoices(scope: Scope, companyId: number): Promise<void> {
  await writeNextInvoice(scope, await lockCompany(scope, companyId))
}

/** Every company that comes due: one small transaction each, so that nobody waits for all. */
export async function writeDueInvoices(scope: Scope): Promise<void> {
  // A day more than anybody's today, wherever they are.
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
