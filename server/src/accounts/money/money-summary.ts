import { fromCents, toCents } from '@recado/contract/money/invoices'
import type { MoneySummary } from '@recado/contract/money/platform'
import { sql } from 'kysely'
import { addDays, addMonths, toCalendarDay } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { graceDaysExpression } from '../grace-days.ts'

/** The platform's time zone, which decides when the months of the super user's page begin. */
export const platformTimeZone = 'America/Sao_Paulo'

type Sum = { cents: number; n: number }

/** The platform's income, in a few statements for any number of companies. */
export async function summarizeMoney(scope: Scope): Promise<MoneySummary> {
  const today = toCalendarDay(scope.now(), platformTimeZone)
  const month = `${today.slice(0, 7)}-01`
  const nextMonth = addMonths(month, 1)
  const oldest = addMonths(month, -11)
  const week = addDays(today, 7)
  const queryRows = async <T>(text: ReturnType<typeof sql<T>>): Promise<T[]> => (await text.execute(scope.db)).rows

  const [subscriptions] = await queryRows(sql<{ monthly: number; trials: number; ending: number }>`
    select coalesce(sum(p.value) filter (where c."dueDate" >= ${today}::date and c."dueDate" is distinct from c."trialExpiration"), 0)::float8 as monthly,
      count(*) filter (where c."dueDate" = c."trialExpiration" and c."dueDate" >= ${today}::date)::int as trials,
      count(*) filter (where c."dueDate" = c."trialExpiration" and c."dueDate" between ${today}::date and ${week}::date)::int as ending
    from companies c left join plans p on p.id = c."planId" where c.status and not c.platform`)
  const [sums] = await queryRows(sql<Record<'collected' | 'billed' | 'soon' | 'soonCount', number>>`
    select coalesce(sum(cents) filter (where status = 'paid' and ("paidAt" at time zone ${platformTimeZone})::date >= ${month}::date), 0)::float8 as collected,
      coalesce(sum(cents) filter (where status in ('open', 'paid') and "dueDate" >= ${month}::date and "dueDate" < ${nextMonth}::date), 0)::float8 as billed,
      coalesce(sum(cents) filter (where status = 'open' and "dueDate" between ${today}::date and ${week}::date), 0)::float8 as soon,
      count(*) filter (where status = 'open' and "dueDate" between ${today}::date and ${week}::date)::int as "soonCount"
    from invoices where "dueDate" >= ${oldest}::date or "paidAt" >= ${oldest}::date`)
  const overdue = await queryRows(sql<{
    invoiceId: number
    companyId: number
    name: string
    cents: number
    days: number
    locked: boolean
    claimed: boolean
  }>`
    select i.id as "invoiceId", c.id as "companyId", c.name, i.cents, (${today}::date - i."dueDate") as days,
      c."dueDate" + ${graceDaysExpression} < ${today}::date as locked, i."claimedAt" is not null as claimed
    from invoices i join companies c on c.id = i."companyId"
    where i.status = 'open' and i."dueDate" < ${today}::date order by i."dueDate", i.id limit 500`)
  const paid = await queryRows(sql<{ month: string; name: string } & Sum>`
    select to_char("paidAt" at time zone ${platformTimeZone}, 'YYYY-MM') as month, coalesce(p.name, '') as name, sum(i.cents)::float8 as cents, count(*)::int as n
    from invoices i left join plans p on p.id = i."planId"
    where i.status = 'paid' and ("paidAt" at time zone ${platformTimeZone})::date >= ${oldest}::date
    group by 1, 2 order by 1, 2`)
  const [waitingPayments] = await queryRows(
    sql<{ n: number }>`select count(*)::int as n from payments where state = 'waiting'`,
  )

  const months = Array.from({ length: 12 }, (_, n) => addMonths(oldest, n).slice(0, 7))
  return {
    monthly: fromCents(toCents(subscriptions?.monthly ?? 0)),
    collected: fromCents(sums?.collected ?? 0),
    billed: fromCents(sums?.billed ?? 0),
    soon: { value: fromCents(sums?.soon ?? 0), invoices: sums?.soonCount ?? 0 },
    overdue: {
      value: fromCents(overdue.reduce((sum, { cents }) => sum + cents, 0)),
      companies: new Set(overdue.map(({ companyId }) => companyId)).size,
      locked: new Set(overdue.filter(({ locked }) => locked).map(({ companyId }) => companyId)).size,
    },
    trials: { companies: subscriptions?.trials ?? 0, endingThisWeek: subscriptions?.ending ?? 0 },
    months: months.map((name) => ({
      month: name,
      plans: paid.filter((one) => one.month === name).map((one) => ({ name: one.name, value: fromCents(one.cents) })),
    })),
    late: overdue.slice(0, 50).map(({ invoiceId, companyId, name, cents, days, locked, claimed }) => ({
      ...{ invoiceId, company: { id: companyId, name }, value: fromCents(cents), days, locked, claimed },
    })),
    waiting: waitingPayments?.n ?? 0,
  }
}
