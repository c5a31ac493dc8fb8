import { type BillingField, billingFieldMaxLengths } from '@recado/contract/billing'
import { type Company, companiesApi } from '@recado/contract/companies'
import { topics } from '@recado/contract/live'
import type { OwnCompany } from '@recado/contract/users'
import type { Selectable } from 'kysely'
import { addDays, endOfDay, toCalendarDay } from '../kernel/clock.ts'
import type { Scope } from '../kernel/data/scope.ts'
import type { DB } from '../kernel/data/tables.ts'
import { graceDaysExpression } from './grace-days.ts'
import { isCompanyPaid } from './payment-status.ts'
import { loadSettings, readSettingValue } from './settings.ts'

type Row = Selectable<DB['companies']>

/** Whaticket-compatible clients read a missing due date as expired: a company that never expires gets this date. */
const farFutureDueDate = '2093-03-14T23:59:59.000Z'

export const endOfDueDay = (day: string | null, zone: string) => (day ? endOfDay(day, zone).toISOString() : null)

/** Companies for the super user, with plan names and settings in two queries for any number of rows. */
export async function presentCompanies(scope: Scope, rows: Row[]): Promise<Company[]> {
  const settings = await loadSettings(
    scope,
    rows.map((r) => r.id),
  )
  const plans = new Map((await scope.db.selectFrom('plans').select(['id', 'name']).execute()).map((p) => [p.id, p]))
  return rows.map((row) => {
    const companySettings = settings.get(row.id) ?? []
    const zone = readSettingValue(companySettings, 'timezone')
    return {
      ...row,
      plan: plans.get(row.planId ?? 0) ?? null,
      settings: companySettings,
      dueDate: endOfDueDay(row.dueDate, zone),
      trialExpiration: endOfDueDay(row.trialExpiration, zone),
    }
  })
}

/** Publishes changed companies: to their own users the fields they may see, and the rows to the super user's list. */
export async function publishCompanies(scope: Scope, rows: Row[]): Promise<Company[]> {
  const companies = await presentCompanies(scope, rows)
  for (const company of companies) {
    scope.publish(companiesApi.topic, { action: 'update', row: company }, { super: true })
    scope.forCompany(company.id).live(topics.ownCompany, { action: 'update', company: { id: company.id } })
  }
  return companies
}

/** The company as its own users see it, at login and later. */
export async function presentOwnCompany(scope: Scope): Promise<OwnCompany> {
  const row = await scope.db
    .selectFrom('companies')
    .selectAll()
    .select(graceDaysExpression.as('graceDays'))
    .where('id', '=', scope.companyId)
    .executeTakeFirstOrThrow()
  const settings = (await loadSettings(scope, [row.id])).get(row.id) ?? []
  const zone = readSettingValue(settings, 'timezone')
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    planId: row.planId,
    dueDate: endOfDueDay(row.dueDate, zone) ?? farFutureDueDate,
    expired: !isCompanyPaid({ ...row, zone }, scope.now()),
    trialExpiration: endOfDueDay(row.trialExpiration, zone),
    settings,
    ...pickBillingFields(row),
  }
}

/** Picks the billing fields; fields that were not sent are left out. */
export const pickBillingFields = <T extends Partial<Record<BillingField, string | undefined>>>(values: T) =>
  Object.fromEntries(
    Object.keys(billingFieldMaxLengths).flatMap((name) => {
      const value = values[name as BillingField]
      return value === undefined ? [] : [[name, value]]
    }),
  ) as { [K in BillingField]: T[K] extends string ? string : never }

/**
 * A form sends a calendar day, or a timestamp that it received before: both mean a day in the company's time zone. An
 * impossible date becomes null.
 */
export function parseDueDay(dueDate: string | null, zone: string): string | null {
  if (!dueDate) return null
  const day = /^\d{4}-\d\d-\d\d$/.test(dueDate) ? dueDate : toCalendarDay(new Date(dueDate), zone)
  return /^(19|2\d)\d\d-/.test(day) && addDays(day, 0) === day ? day : null
}
