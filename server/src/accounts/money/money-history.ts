import { type Currency, currencies } from '@recado/contract/money/currency'
import { fromCents } from '@recado/contract/money/invoices'
import type { MoneyEvent, MoneyHistory } from '@recado/contract/money/platform'
import { type Selectable, sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import { endOfDueDay } from '../company-view.ts'
import { loadCompanyTimeZone } from '../settings.ts'

type CompanyRow = Selectable<DB['companies']>
/** An amount comes with its currency. */
type EventAmount = { cents: number; currency: Currency } | { cents?: undefined; currency?: undefined }
type NewMoneyEvent = Partial<Pick<MoneyEvent, 'invoiceId' | 'way' | 'before' | 'after' | 'note'>> &
  EventAmount & {
    kind: MoneyEvent['kind']
    /** The user who caused the event, if any. */
    by?: string | undefined
  }

/** Records billing events, in the transaction that causes them. */
export async function writeMoneyEvents(scope: Scope, companyId: number, events: NewMoneyEvent[]): Promise<void> {
  if (!events.length) return
  await scope.db
    .insertInto('moneyEvents')
    .values(
      events.map(({ kind, invoiceId, cents, currency, way, before, after, note, by }) => ({
        ...{ companyId, kind, at: scope.now(), invoiceId: invoiceId ?? null, cents: cents ?? null, way: way ?? null },
        ...{
          currency: currency ?? 'BRL',
          before: before ?? '',
          after: after ?? '',
          note: note ?? '',
          userName: by ?? '',
        },
      })),
    )
    .execute()
}

/** Records changes of a company's due date, plan, recurrence and currency. */
export async function writeSubscriptionChange(
  scope: Scope,
  before: CompanyRow,
  after: CompanyRow,
  by?: string,
): Promise<void> {
  const events: NewMoneyEvent[] = []
  if (before.dueDate !== after.dueDate)
    events.push({ kind: 'due', before: before.dueDate ?? '', after: after.dueDate ?? '', by })
  if (before.planId !== after.planId) {
    const ids = [before.planId ?? 0, after.planId ?? 0]
    const plans = await scope.db.selectFrom('plans').select(['id', 'name']).where('id', 'in', ids).execute()
    const name = (id: number | null) => plans.find((plan) => plan.id === id)?.name ?? ''
    events.push({ kind: 'plan', before: name(before.planId), after: name(after.planId), by })
  }
  if (before.recurrence !== after.recurrence)
    events.push({ kind: 'recurrence', before: before.recurrence ?? '', after: after.recurrence ?? '', by })
  if (before.currency !== after.currency)
    events.push({ kind: 'currency', before: before.currency, after: after.currency, by })
  await writeMoneyEvents(scope, after.id, events)
}

const pageSize = 50

/** A page of a company's billing history, newest first, with its current state. */
export async function loadMoneyHistory(scope: Scope, companyId: number, pageNumber: number): Promise<MoneyHistory> {
  const company = await scope.db
    .selectFrom('companies as c')
    .leftJoin('plans as p', 'p.id', 'c.planId')
    .select(['c.id', 'c.name', 'c.dueDate', 'c.recurrence', 'c.currency', 'c.createdAt', 'p.name as plan'])
    .where('c.id', '=', companyId)
    .executeTakeFirst()
  if (!company) throw new AppError('ERR_NO_COMPANY_FOUND')
  const { rows } = await sql<{ currency: Currency; paid: number; open: number }>`
    select currency, coalesce(sum(cents) filter (where status = 'paid'), 0)::float8 as paid,
      coalesce(sum(cents) filter (where status = 'open'), 0)::float8 as open
    from invoices where "companyId" = ${companyId} group by currency`.execute(scope.db)
  const sumOf = (currency: Currency, kind: 'paid' | 'open') =>
    fromCents(rows.find((row) => row.currency === currency)?.[kind] ?? 0)
  const events = await scope.db
    .selectFrom('moneyEvents')
    .selectAll()
    .where('companyId', '=', companyId)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize + 1)
    .offset((pageNumber - 1) * pageSize)
    .execute()
  return {
    company: {
      id: company.id,
      name: company.name,
      plan: company.plan ?? '',
      recurrence: company.recurrence,
      dueDate: endOfDueDay(company.dueDate, await loadCompanyTimeZone(scope.forCompany(companyId))),
      dueDay: company.dueDate,
      createdAt: company.createdAt,
    },
    paid: sumOf('BRL', 'paid'),
    open: sumOf('BRL', 'open'),
    totals: currencies
      .filter(
        (one) =>
          one === company.currency || rows.some(({ currency, paid, open }) => currency === one && paid + open > 0),
      )
      .map((currency) => ({ currency, paid: sumOf(currency, 'paid'), open: sumOf(currency, 'open') })),
    events: events.slice(0, pageSize).map(({ cents, userName, ...event }) => ({
      ...event,
      value: cents === null ? null : fromCents(cents),
      by: userName,
    })),
    hasMore: events.length > pageSize,
  }
}
