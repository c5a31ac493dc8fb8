import { recurrences } from '@recado/contract/companies'
import { centsOf, type Invoice, moneyOf } from '@recado/contract/money/invoices'
import { settingKeys } from '@recado/contract/settings'
import type { Selectable } from 'kysely'
import { addDays, addMonths, dayIn } from '../../kernel/clock.ts'
import { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { eachForItself } from '../../kernel/jobs.ts'
import { lastMoment } from '../company-view.ts'
import { zoneOf } from '../settings.ts'
import { writeHistory } from './history.ts'

export type CompanyRow = Selectable<DB['companies']>
export type InvoiceRow = Selectable<DB['invoices']>

/** So long before its date an invoice is written. */
export const daysAhead = 20

/** Money is the platform's affair: a company's admin asks, and the platform writes. */
export const platformScope = ({ means, companyId, person }: Scope): Scope =>
  new Scope(means, { companyId, person, wide: true })

export const presentInvoice = (row: InvoiceRow, zone: string | null): Invoice => ({
  ...row,
  value: moneyOf(row.cents),
  dueDate: lastMoment(row.dueDate, zone ?? settingKeys.timezone.default) as string,
  dueDay: row.dueDate,
})

/** How it came to be. */
export const written = ({ id, cents, detail, dueDate }: InvoiceRow, by?: string) =>
  ({ kind: 'written', invoiceId: id, cents, note: detail, after: dueDate, by }) as const

/** The company, held: whoever changes its due date, its plan or what it owes goes one after the other. */
export const holdCompany = (scope: Scope, id: number): Promise<CompanyRow> =>
  scope.db
    .selectFrom('companies')
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => new AppError('ERR_NO_COMPANY_FOUND'))

/** Months that one payment lasts. */
export const monthsOf = ({ recurrence }: Pick<CompanyRow, 'recurrence'>): number => recurrences[recurrence ?? 'MENSAL']

/** Where a payment moves the due date: on from where it is, or from today if that has passed. It never goes back. */
export function movedDueDate(dueDate: string | null, today: string, months: number): string | null {
  if (!dueDate || !months) return dueDate
  return addMonths(dueDate > today ? dueDate : today, months)
}

const planInvoices = (scope: Scope, companyId: number) =>
  scope.db.selectFrom('invoices').selectAll().where('companyId', '=', companyId).where('kind', '=', 'plan')

/** What the company owes for this period and the next is still what it says. What was written by hand always is. */
function isCurrent(one: InvoiceRow, { dueDate, planId, recurrence }: CompanyRow): boolean {
  if (one.kind === 'hand') return true
  if (one.dueDate !== dueDate) return false
  return one.kind === 'plan' ? one.planId === planId && one.months === monthsOf({ recurrence }) : one.planId !== planId
}

/**
 * The invoice for the company's due date, written if there is none yet: one, whoever asks and how often. What was open
 * for another date, plan or recurrence is replaced by it. Hold the company first. `days`: how far ahead to look.
 */
export async function writeNext(scope: Scope, company: CompanyRow, days = daysAhead): Promise<InvoiceRow | null> {
  const open = await scope.db
    .selectFrom('invoices')
    .selectAll()
    .where('companyId', '=', company.id)
    .where('status', '=', 'open')
    .execute()
  const stale = open.filter((one) => !isCurrent(one, company))
  const set = (ids: number[], values: { status?: 'replaced'; replacedById?: number }) =>
    ids.length ? scope.db.updateTable('invoices').set(values).where('id', 'in', ids).execute() : null
  await set(
    stale.map(({ id }) => id),
    { status: 'replaced' },
  )
  await writeHistory(
    scope,
    company.id,
    stale.map(({ id, cents, detail }) => ({ kind: 'replaced', invoiceId: id, cents, note: detail })),
  )
  const written = await nextOf(scope, company, monthsOf(company), days)
  // The rest of a period on another plan is nothing that the next period could stand for.
  if (written)
    await set(
      stale.filter(({ kind }) => kind === 'plan').map(({ id }) => id),
      { replacedById: written.id },
    )
  return written
}

async function nextOf(scope: Scope, company: CompanyRow, months: number, days: number): Promise<InvoiceRow | null> {
  const { id: companyId, dueDate, planId } = company
  if (company.platform || !company.status || !dueDate || !planId) return null
  if (dueDate > addDays(dayIn(scope.now(), await zoneOf(scope.of(companyId))), days)) return null
  const there = () =>
    planInvoices(scope, companyId).where('dueDate', '=', dueDate).where('status', '!=', 'replaced').executeTakeFirst()
  const known = await there()
  if (known) return known
  const plan = await scope.db.selectFrom('plans').select(['name', 'value']).where('id', '=', planId).executeTakeFirst()
  const cents = centsOf(plan?.value ?? 0) * months
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
  if (made) await writeHistory(scope, companyId, [written(made)])
  return made ?? (await there()) ?? null
}

/** What a company owes after its plan, its due date or its standing changed. */
export async function renewInvoices(scope: Scope, companyId: number): Promise<void> {
  await writeNext(scope, await holdCompany(scope, companyId))
}

/** Every company that comes due: one small transaction each, so that nobody waits for all. */
export async function writeInvoices(scope: Scope): Promise<void> {
  // A day more than anybody's today, wherever they are.
  const until = addDays(dayIn(scope.now(), 'Pacific/Kiritimati'), daysAhead)
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
  await eachForItself(due, ({ id }) => scope.transaction((tx) => renewInvoices(tx, id)))
}
