import type { BillingField } from '@recado/contract/billing'
import { defaultHours } from '@recado/contract/hours/hours'
import { type Currency, currencyOfPhone } from '@recado/contract/money/currency'
import { findPlanPrice } from '@recado/contract/plans'
import type { SettingKey } from '@recado/contract/settings'
import type { Language } from '@recado/contract/users'
import type { Selectable } from 'kysely'
import type { Scope } from '../kernel/data/scope.ts'
import type { DB } from '../kernel/data/tables.ts'
import { translateConstraintErrors } from '../kernel/errors.ts'
import { writeSetting } from './settings.ts'
import type { UserRow } from './user-view.ts'

type NewCompany = Partial<Record<BillingField, string>> & {
  name: string
  email: string | null
  phone: string
  planId: number
  status?: boolean
  dueDate: string | null
  trialExpiration?: string | null
  recurrence: Selectable<DB['companies']>['recurrence']
  /** Absent: chosen by the telephone and the plan. */
  currency?: Currency | undefined
  referrerId?: number | null
  platform?: boolean
}
type NewAdmin = {
  name: string
  email: string
  passwordHash: string
  invited?: boolean
  language?: Language | null
  super?: boolean
  hasInitialPassword?: boolean
}

/** The currency of the telephone's country if the plan has a price in it, otherwise the plan's own. */
async function chooseCurrency(scope: Scope, { phone, planId }: NewCompany): Promise<Currency | undefined> {
  const plan = await scope.db
    .selectFrom('plans')
    .select(['value', 'currency', 'prices'])
    .where('id', '=', planId)
    .executeTakeFirst()
  const local = currencyOfPhone(phone)
  return plan && local && findPlanPrice(plan, local) !== null ? local : plan?.currency
}

/** Creates a company, its first admin and its initial settings: all of it or nothing. */
export async function createCompany(
  scope: Scope,
  company: NewCompany,
  admin: NewAdmin | null,
  settings: Partial<Record<SettingKey, string>>,
): Promise<{ company: Selectable<DB['companies']>; admin: UserRow | null; companyScope: Scope }> {
  return scope.transaction(async (tx) => {
    const currency = company.currency ?? (await chooseCurrency(tx, company))
    const row = await translateConstraintErrors(
      {
        companies_name_key: 'ERR_COMPANY_NAME_ALREADY_EXISTS',
        companies_planId_fkey: 'ERR_NO_PLAN_FOUND',
        companies_referrerId_fkey: 'ERR_NO_COMPANY_FOUND',
      },
      () =>
        tx.db
          .insertInto('companies')
          .values({
            trialExpiration: null,
            referrerId: null,
            ...company,
            ...(currency && { currency }),
            schedules: JSON.stringify(defaultHours),
          })
          .returningAll()
          .executeTakeFirstOrThrow(),
    )
    const companyScope = tx.forCompany(row.id)
    for (const [key, value] of Object.entries(settings)) await writeSetting(companyScope, key as SettingKey, value)
    const user =
      admin &&
      (await translateConstraintErrors({ users_email_key: 'ERR_EMAIL_ALREADY_EXISTS' }, () =>
        tx.db
          .insertInto('users')
          .values({
            language: null,
            ...admin,
            companyId: row.id,
            profile: 'admin',
            allTicket: 'enabled',
            whatsappId: null,
          })
          .returningAll()
          .executeTakeFirstOrThrow(),
      ))
    return { company: row, admin: user, companyScope: companyScope }
  })
}
