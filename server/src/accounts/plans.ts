import { plansApi } from '@recado/contract/plans'
import { makeRecords } from '../kernel/data/records.ts'
import { translateConstraintErrors } from '../kernel/errors.ts'
import { crudRoutes, route } from '../kernel/http/routes.ts'
import { publishCompanies } from './company-view.ts'

export const plans = makeRecords('plans', plansApi, {
  platform: true,
  conflicts: { plans_name_key: 'ERR_PLAN_NAME_ALREADY_EXISTS' },
  audience: () => ({ super: true }),
})

export const planRoutes = [
  ...crudRoutes(plansApi, plans, ['update', 'remove']),
  route(plansApi.update, async (scope, { params, body }) => {
    const plan = await plans.update(scope, params.id, body)
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
