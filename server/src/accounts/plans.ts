import { plansApi } from '@recado/contract/plans'
import { records } from '../kernel/data/records.ts'
import { orConflict } from '../kernel/errors.ts'
import { resource, route } from '../kernel/http/http.ts'
import { tellCompanies } from './company-view.ts'

export const plans = records('plans', plansApi, {
  platform: true,
  conflicts: { plans_name_key: 'ERR_PLAN_NAME_ALREADY_EXISTS' },
  audience: () => ({ super: true }),
})

export const planRoutes = [
  ...resource(plansApi, plans, ['update', 'remove']),
  route(plansApi.update, async (scope, { params, body }) => {
    const plan = await plans.update(scope, params.id, body)
    // Its name stands in the list of companies, and what it allows in the menu of their people.
    const companies = scope.db.selectFrom('companies').selectAll().where('planId', '=', plan.id).orderBy('id')
    await tellCompanies(scope, await companies.forNoKeyUpdate().execute())
    return plan
  }),
  route(plansApi.remove, async (scope, { params }) => {
    await orConflict({ companies_planId_fkey: 'ERR_PLAN_IN_USE' }, () => plans.remove(scope, params.id))
    return { message: 'deleted' }
  }),
  route(plansApi.all, (scope) => plans.all(scope)),
  route(plansApi.offered, (scope) => plans.all(scope)),
]
