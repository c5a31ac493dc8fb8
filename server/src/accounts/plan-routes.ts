import { isPayableAmount } from '@recado/contract/money/currency'
import { findPlanPrice, type Plan, type PlanWrite, plansApi } from '@recado/contract/plans'
import type { z } from 'zod'
import type { Scope } from '../kernel/data/scope.ts'
import { AppError, translateConstraintErrors } from '../kernel/errors.ts'
import { crudRoutes, route } from '../kernel/http/routes.ts'
import { publishCompanies } from './company-view.ts'
import { renewInvoices } from './money/invoices.ts'
import { writeSubscriptionChange } from './money/money-history.ts'
import { plans } from './plans.ts'

type PlanForm = z.output<typeof PlanWrite>

/** Refuses amounts that cannot be paid, and a currency with two prices. Fields that were not sent stay as they are. */
function toPlanValues({ prices, ...form }: PlanForm, { currency, prices: others }: Pick<Plan, 'currency' | 'prices'>) {
  const all = [{ currency: form.currency ?? currency, value: form.value }, ...(prices ?? others)]
  const wrong = all.findIndex((one) => !isPayableAmount(one.value, one.currency))
  if (wrong >= 0) throw new AppError('ERR_VALIDATION', { [wrong === 0 ? 'value' : 'prices']: 'Invalid' })
  if (new Set(all.map((one) => one.currency)).size < all.length)
    throw new AppError('ERR_VALIDATION', { prices: 'Invalid' })
  return { ...form, ...(prices && { prices: JSON.stringify(prices) }) }
}

/**
 * Companies of a plan whose own currency changed pay in the new one from now on. A further price cannot be removed while
 * companies pay it.
 */
async function moveToPlanCurrency(scope: Scope, previous: Plan, plan: Plan): Promise<void> {
  const rows = await scope.db
    .selectFrom('companies')
    .selectAll()
    .where('planId', '=', plan.id)
    .where('platform', '=', false)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const isLost = (row: (typeof rows)[number]) =>
    findPlanPrice(previous, row.currency) !== null && findPlanPrice(plan, row.currency) === null
  for (const row of rows.filter(isLost)) {
    if (row.currency !== previous.currency) throw new AppError('ERR_PLAN_PRICE_IN_USE')
    const { currency } = plan
    await scope.db.updateTable('companies').set({ currency }).where('id', '=', row.id).execute()
    await writeSubscriptionChange(scope, row, { ...row, currency }, scope.person?.name)
    await renewInvoices(scope, row.id)
  }
}

const newPlan: Pick<Plan, 'currency' | 'prices'> = { currency: 'BRL', prices: [] }

export const planRoutes = [
  ...crudRoutes(plansApi, plans, ['create', 'update', 'remove']),
  route(plansApi.create, (scope, { body }) => plans.create(scope, toPlanValues(body, newPlan))),
  route(plansApi.update, async (scope, { params, body }) => {
    const previous = await plans.lockRow(scope, params.id)
    const plan = await plans.update(scope, params.id, toPlanValues(body, previous))
    await moveToPlanCurrency(scope, previous, plan)
    // Publish the companies of the plan: their list shows its name, and its flags decide the menu of their users.
    const companies = scope.db.selectFrom('companies').selectAll().where('planId', '=', plan.id).orderBy('id')
    await publishCompanies(scope, await companies.forNoKeyUpdate().execute())
    return plan
  }),
  route(plansApi.remove, async (scope, { params }) => {
    await translateConstraintErrors({ companies_planId_fkey: 'ERR_PLAN_IN_USE' }, () => plans.remove(scope, params.id))
    return { message: 'deleted' }
  }),
  route(plansApi.all, (scope) => plans.listAll(scope)),
  route(plansApi.offered, (scope) => plans.listAll(scope)),
]
