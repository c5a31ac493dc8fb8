import { lockInCompany } from '../kernel/data/advisory-locks.ts'
import type { Scope } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'

/** The kinds of records that a plan limits, with the error when the limit is reached. */
const limitedKinds = {
  users: { table: 'users', code: 'ERR_PLAN_LIMIT_USERS' },
  connections: { table: 'whatsapps', code: 'ERR_PLAN_LIMIT_CONNECTIONS' },
  queues: { table: 'queues', code: 'ERR_PLAN_LIMIT_QUEUES' },
} as const

/** Serializes creations, so that two parallel creations cannot both take the last free place. */
export async function requirePlanCapacity(scope: Scope, kind: keyof typeof limitedKinds): Promise<void> {
  const { table, code } = limitedKinds[kind]
  await lockInCompany(scope, kind)
  const { places, taken } = await scope.db
    .selectFrom('companies as c')
    .leftJoin('plans as p', 'p.id', 'c.planId')
    .select((eb) => [
      `p.${kind} as places` as const,
      eb
        .selectFrom(table)
        .whereRef(`${table}.companyId`, '=', 'c.id')
        .select(eb.fn.countAll<number>().as('n'))
        .as('taken'),
    ])
    .where('c.id', '=', scope.companyId)
    .executeTakeFirstOrThrow(() => new AppError('ERR_NO_COMPANY_FOUND'))
  if ((taken ?? 0) >= (places ?? 0)) throw new AppError(code)
}
