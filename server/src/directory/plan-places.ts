import { sql } from 'kysely'
import type { Scope } from '../kernel/data/scope.ts'
import { AppError } from '../kernel/errors.ts'

/** What a plan counts, besides people: its table, its refusal, and the number of its lock (1 is the people's). */
const kinds = {
  connections: { table: 'whatsapps', code: 'ERR_PLAN_LIMIT_CONNECTIONS', lock: 2 },
  queues: { table: 'queues', code: 'ERR_PLAN_LIMIT_QUEUES', lock: 3 },
} as const
type Kind = keyof typeof kinds

/** Those who change one kind of thing in one company queue up here until they commit. */
export async function inLine(scope: Scope, kind: Kind): Promise<void> {
  await sql`select pg_advisory_xact_lock(${kinds[kind].lock}, ${scope.companyId}::int)`.execute(scope.db)
}

/** Two creates at once must not both take the last place: call it in line. */
export async function takePlace(scope: Scope, kind: Kind): Promise<void> {
  const { table, code } = kinds[kind]
  await inLine(scope, kind)
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
