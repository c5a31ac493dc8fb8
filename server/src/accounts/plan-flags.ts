import type { PlanFlag } from '@recado/contract/endpoint'
import type { Scope } from '../kernel/data/scope.ts'

/** Whether the company's plan has the flag, for jobs. Requests find it in `scope.plan`. */
export async function hasPlanFlag(scope: Scope, flag: PlanFlag): Promise<boolean> {
  const row = await scope.db
    .selectFrom('companies')
    .innerJoin('plans', 'plans.id', 'companies.planId')
    .select(`plans.${flag} as has`)
    .where('companies.id', '=', scope.companyId)
    .executeTakeFirst()
  return row?.has ?? false
}
