import { smallestCents } from '@recado/contract/money/currency'
import { fromCents, toCents } from '@recado/contract/money/invoices'
import type { PlanChange } from '@recado/contract/money/subscription'
import { findPlanPrice, type Plan } from '@recado/contract/plans'
import { sql } from 'kysely'
import { addDays, addMonths, toCalendarDay } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { endOfDueDay, publishCompanies } from '../company-view.ts'
import { plans } from '../plans.ts'
import { loadCompanyTimeZone } from '../settings.ts'
import {
  type CompanyRow,
  type InvoiceRow,
  invoiceWrittenEvent,
  lockCompany,
  monthsPerPayment,
  renewInvoices,
} from './invoices.ts'
import { writeMoneyEvents, writeSubscriptionChange } from './money-history.ts'

const daysBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)

type PaidPeriod = { today: string; dueDate: string | null; trialExpiration: string | null; months: number }
type PlanPrices = { from: number; to: number }
export type PlanChangeCost = { days: number; cents: number; extraDays: number }

/**
 * The price of a plan change, in cents of monthly prices. A more expensive plan is charged for the days that are
 * left; a cheaper plan converts the paid amount into more days. In a trial or an expired period nothing was paid, so
 * nothing is charged; after a payment during the trial only the days after the trial count as paid.
 */
export function calculatePlanChange(
  { today, dueDate, trialExpiration, months }: PaidPeriod,
  { from, to }: PlanPrices,
): PlanChangeCost {
  const paidFrom = trialExpiration && trialExpiration > today ? trialExpiration : today
  const days = dueDate ? Math.max(0, daysBetween(paidFrom, dueDate)) : 0
  if (!dueDate || !days) return { days: 0, cents: 0, extraDays: 0 }
  const periodDays = daysBetween(addMonths(dueDate, -months), dueDate)
  const difference = (to - from) * months * days
  if (difference >= 0) return { days, cents: Math.ceil(difference / periodDays), extraDays: 0 }
  return { days, cents: 0, extraDays: to ? Math.floor(-difference / (to * months)) : 0 }
}

/** The counts that exceed the plan's limits. */
async function findExceededLimits(scope: Scope, companyId: number, plan: Plan): Promise<PlanChange['tooMany']> {
  const { rows } = await sql<Record<'users' | 'connections' | 'queues', number>>`select
    (select count(*)::int from users where "companyId" = ${companyId}) as users,
    (select count(*)::int from whatsapps where "companyId" = ${companyId}) as connections,
    (select count(*)::int from queues where "companyId" = ${companyId}) as queues`.execute(scope.db)
  return (['users', 'connections', 'queues'] as const)
    .map((kind) => ({ kind, have: rows[0]?.[kind] ?? 0, most: plan[kind] }))
    .filter(({ have, most }) => have > most)
}

async function preparePlanChange(scope: Scope, company: CompanyRow, planId: number) {
  const plan = await plans.find(scope, planId)
  const current = company.planId ? await plans.find(scope, company.planId) : null
  const zone = await loadCompanyTimeZone(scope.forCompany(company.id))
  const { dueDate, trialExpiration, currency } = company
  const price = findPlanPrice(plan, currency)
  if (price === null) throw new AppError('ERR_PLAN_NO_PRICE')
  const months = monthsPerPayment(company)
  const period = { today: toCalendarDay(scope.now(), zone), dueDate, trialExpiration, months }
  const prices = { from: toCents((current && findPlanPrice(current, currency)) ?? 0), to: toCents(price) }
  const exactCost = calculatePlanChange(period, prices)
  const smallest = smallestCents(currency)
  const cost = { ...exactCost, cents: Math.ceil(exactCost.cents / smallest) * smallest }
  const newDueDate = dueDate && addDays(dueDate, cost.extraDays)
  const preview: PlanChange = {
    plan,
    currency,
    tooMany: await findExceededLimits(scope, company.id, plan),
    days: cost.days,
    value: fromCents(cost.cents),
    extraDays: cost.extraDays,
    nextValue: fromCents(prices.to * months),
    dueDate: endOfDueDay(newDueDate, zone),
  }
  return { preview: preview, cost: cost, newDueDate: newDueDate }
}

export async function previewPlanChange(scope: Scope, companyId: number, planId: number): Promise<PlanChange> {
  return (await preparePlanChange(scope, await lockCompany(scope, companyId), planId)).preview
}

/** Returns the invoice to pay before the plan changes, or null if the plan changed at once. */
export async function changePlan(scope: Scope, companyId: number, planId: number): Promise<InvoiceRow | null> {
  const company = await lockCompany(scope, companyId)
  if (company.platform) throw new AppError('ERR_COMPANY_IS_PLATFORM')
  const { preview, cost, newDueDate } = await preparePlanChange(scope, company, planId)
  if (preview.tooMany.length) throw new AppError('ERR_PLAN_TOO_SMALL', undefined, { tooMany: preview.tooMany })
  if (cost.cents && company.dueDate) {
    // Only one change can be pending: the last requested change replaces the others.
    const replaced = await scope.db
      .updateTable('invoices')
      .set({ status: 'replaced' })
      .where('companyId', '=', companyId)
      .where('kind', '=', 'change')
      .where('status', '=', 'open')
      .returning(['id', 'cents', 'currency', 'detail'])
      .execute()
    const values = { companyId, planId, detail: preview.plan.name, cents: cost.cents, dueDate: company.dueDate }
    const { currency } = company
    const invoice = await scope.db
      .insertInto('invoices')
      .values({ ...values, currency, kind: 'change', createdAt: scope.now() })
      .returningAll()
      .executeTakeFirstOrThrow()
    await writeMoneyEvents(scope, companyId, [
      ...replaced.map(({ id, detail, ...amount }) => ({
        kind: 'replaced' as const,
        invoiceId: id,
        ...amount,
        note: detail,
      })),
      invoiceWrittenEvent(invoice, scope.person?.name),
    ])
    return invoice
  }
  const row = await scope.db
    .updateTable('companies')
    .set({ planId, dueDate: newDueDate, billingDay: newDueDate === company.dueDate ? company.billingDay : null })
    .where('id', '=', companyId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await writeSubscriptionChange(scope, company, row, scope.person?.name)
  await renewInvoices(scope, companyId)
  await publishCompanies(scope, [row])
  return null
}
