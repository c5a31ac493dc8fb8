import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { type Caused, caused, causes, isoText, tellOutside } from '../webhooks/told.ts'

/** Contacts as programs hear of them (contract: ApiContact); `more` is what else is told of them. */
const source = (scope: Scope, all: Caused<number[]>[], more: RawBuilder<unknown> = sql``) => sql`
  select c.id as n, 'c' || c.id as lane, null::int as "ticketId", c.id as "contactId", json_build_object(
    'id', c.id, 'name', c.name, 'number', c.number, 'email', coalesce(c.email, ''), 'isGroup', c."isGroup",
    'createdAt', ${sql.raw(isoText('c."createdAt"'))} ${more}
  ) as data, null::json as file, because.trace
  from contacts c join ${causes(all)} on because.id = c.id where c."companyId" = ${scope.companyId}`

/** We know somebody new. */
export async function tellCreated(scope: Scope, ids: number[]): Promise<void> {
  if (ids.length && scope.means.hooks.wants(scope.companyId, 'contact.created'))
    await scope.ask(tellAllCreated, caused(ids))
}
async function tellAllCreated(scope: Scope, all: Caused<number[]>[]): Promise<undefined[]> {
  await tellOutside(scope, 'contact.created', () => source(scope, all))
  return all.map(() => undefined)
}

/** Two turned out to be one. */
export const tellMerged = (
  scope: Scope,
  keptId: number,
  { id, name, number }: { id: number; name: string; number: string },
): Promise<void> =>
  tellOutside(scope, 'contact.merged', () =>
    source(
      scope,
      [caused([keptId])],
      sql`, 'merged', json_build_object('id', ${id}::int, 'name', ${name}::text, 'number', ${number}::text)`,
    ),
  )
