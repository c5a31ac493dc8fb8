import { type Currency, currencies } from '@recado/contract/money/currency'
import { fromCents, toCents } from '@recado/contract/money/invoices'
import type { CurrencySums, MoneySummary } from '@recado/contract/money/platform'
import { type Plan, priceForCompany } from '@recado/contract/plans'
import { sql } from 'kysely'
import { addDays, addMonths, toCalendarDay } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { graceDaysExpression } from '../grace-days.ts'

/** The platform's time zone, which decides when the months of the super user's page begin. */
export const platformTimeZone = 'America/Sao_Paulo'

type InCurrency = { currency: Currency }
type SubscribedPlan = {
  value: number | null
  currency: Currency
  prices: Plan['prices']
  companyCurrency: Currency
}

/** The platform's income, in a few statements for any number of companies. */
export async function summarizeMoney(scope: Scope): Promise<MoneySummary> {
  const today = toCalendarDay(scope.now(), platformTimeZone)
  const month = `${today.slice(0, 7)}-01`
  const nextMonth = addMonths(month, 1)
  const oldest = addMonths(month, -11)
  const week = addDays(today, 7)
  const queryRows = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> => (await text.execute(scope.db)).rows

  const subscriptions = await queryRows(sql<Record<'paying' | 'trials' | 'ending', number> & SubscribedPlan>`
    select p.value::float8 as value, p.currency, p.prices, c.currency as "companyCurrency",
      count(*) filter (where c."dueDate" >= ${today}::date and c."dueDate" is distinct from c."trialExpiration")::int as paying,
      count(*) filter (where c."dueDate" = c."trialExpiration" and c."dueDate" >= ${today}::date)::int as trials,
      count(*) filter (where c."dueDate" = c."trialExpiration" and c."dueDate" between ${today}::date and ${week}::date)::int as ending
    from companies c left join plans p on p.id = c."planId" where c.status and not c.platform
    group by p.id, c.currency`)
  const sums = await queryRows(sql<Record<'collected' | 'billed' | 'soon' | 'soonCount', number> & InCurrency>`
    select currency,
      coalesce(sum(cents) filter (where status = 'paid' and ("paidAt" at time zone ${platformTimeZone})::date >= ${month}::date), 0)::float8 as collected,
      coalesce(sum(cents) filter (where status in ('open', 'paid') and "dueDate" >= ${month}::date and "dueDate" < ${nextMonth}::date), 0)::float8 as billed,
      coalesce(sum(cents) filter (where status = 'open' and "dueDate" between ${today}::date and ${week}::date), 0)::float8 as soon,
      count(*) filter (where status = 'open' and "dueDate" between ${today}::date and ${week}::date)::int as "soonCount"
    from invoices where "dueDate" >= ${oldest}::date or "paidAt" >= ${oldest}::date group by currency`)
  const overdue = await queryRows(sql<{
    invoiceId: number
    companyId: number
    name: string
    cents: number
    currency: Currency
    days: number
    locked: boolean
    claimed: boolean
  }>`
    select i.id as "invoiceId", c.id as "companyId", c.name, i.cents, i.currency, (${today}::date - i."dueDate") as days,
      c."dueDate" + ${graceDaysExpression} < ${today}::date as locked, i."claimedAt" is not null as claimed
    from invoices i join companies c on c.id = i."companyId"
    where i.status = 'open' and i."dueDate" < ${today}::date order by i."dueDate", i.id limit 500`)
  const paid = await queryRows(sql<{ month: string; name: string; cents: number } & InCurrency>`
    select to_char("paidAt" at time zone ${platformTimeZone}, 'YYYY-MM') as month, coalesce(p.name, '') as name, i.currency, sum(i.cents)::float8 as cents
    from invoices i left join plans p on p.id = i."planId"
    where i.status = 'paid' and ("paidAt" at time zone ${platformTimeZone})::date >= ${oldest}::date
    group by 1, 2, 3 order by 1, 2, 3`)
  const [waitingPayments] = await queryRows(
    sql<{ n: number }>`select count(*)::int as n from payments where state = 'waiting'`,
  )

  const months = Array.from({ length: 12 }, (_, n) => addMonths(oldest, n).slice(0, 7))
  const paying = subscriptions.flatMap(({ value, paying: companies, companyCurrency, ...plan }) =>
    value === null || !companies ? [] : [{ companies, price: priceForCompany({ value, ...plan }, companyCurrency) }],
  )
  const sumCurrency = (currency: Currency): CurrencySums => {
    const own = <T extends InCurrency>(rows: T[]) => rows.filter((row) => row.currency === currency)
    const sum = own(sums)[0]
    const monthly = paying
      .filter(({ price }) => price.currency === currency)
      .reduce((total, { companies, price }) => total + toCents(price.value) * companies, 0)
    return {
      currency,
      monthly: fromCents(monthly),
      collected: fromCents(sum?.collected ?? 0),
      billed: fromCents(sum?.billed ?? 0),
      soon: fromCents(sum?.soon ?? 0),
      overdue: fromCents(own(overdue).reduce((total, { cents }) => total + cents, 0)),
      months: months.map((name) => ({
        month: name,
        plans: own(paid)
          .filter((one) => one.month === name)
          .map((one) => ({ name: one.name, value: fromCents(one.cents) })),
      })),
    }
  }
  const used = new Set([
    ...paying.filter(({ price }) => price.value > 0).map(({ price }) => price.currency),
    ...[...sums, ...overdue, ...paid].map(({ currency }) => currency),
  ])
  const inReais = sumCurrency('BRL')
  const countAll = (kind: 'trials' | 'ending') => subscriptions.reduce((total, row) => total + row[kind], 0)
  return {
    ...inReais,
    soon: { value: inReais.soon, invoices: sums.reduce((total, { soonCount }) => total + soonCount, 0) },
    overdue: {
      value: inReais.overdue,
      companies: new Set(overdue.map(({ companyId }) => companyId)).size,
      locked: new Set(overdue.filter(({ locked }) => locked).map(({ companyId }) => companyId)).size,
    },
    trials: { companies: countAll('trials'), endingThisWeek: countAll('ending') },
    currencies: used.size ? currencies.filter((one) => used.has(one)).map(sumCurrency) : [inReais],
    late: overdue.slice(0, 50).map(({ invoiceId, companyId, name, cents, currency, days, locked, claimed }) => ({
      ...{ invoiceId, company: { id: companyId, name }, value: fromCents(cents), currency, days, locked, claimed },
    })),
    waiting: waitingPayments?.n ?? 0,
  }
}
