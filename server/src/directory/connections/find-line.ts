import type { Selectable } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'
import { AppError } from '../../kernel/errors.ts'
import type { ConnectionRow } from './view.ts'

/** A line of the caller's own company; throws if there is none. */
export async function findLine(scope: Scope, id: number): Promise<ConnectionRow> {
  const row = await selectOwnLines(scope).where('id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('ERR_NO_WAPP_FOUND')
  return row
}
/** Like `findLine`, but locks the line until the transaction ends. */
export async function lockLine(scope: Scope, id: number): Promise<ConnectionRow> {
  const row = await selectOwnLines(scope).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
  if (!row) throw new AppError('ERR_NO_WAPP_FOUND')
  return row
}
export const selectOwnLines = (scope: Scope) =>
  scope.db.selectFrom('whatsapps').selectAll().where('companyId', '=', scope.companyId)

export async function findDefaultLine(scope: Scope): Promise<ConnectionRow> {
  const row = await selectOwnLines(scope).where('isDefault', '=', true).executeTakeFirst()
  if (!row) throw new AppError('ERR_NO_DEF_WAPP_FOUND')
  return row
}

/** The named line, else the user's own line, else the company's default line. */
export async function chooseLine(
  scope: Scope,
  whatsappId: number | null,
  userId: number | null = scope.person?.id ?? null,
): Promise<ConnectionRow> {
  if (whatsappId !== null) return findLine(scope, whatsappId)
  const personal =
    userId === null
      ? undefined
      : await selectOwnLines(scope)
          .where('id', '=', (eb) =>
            eb
              .selectFrom('users')
              .select('users.whatsappId')
              .where('users.id', '=', userId)
              .where('users.companyId', '=', scope.companyId),
          )
          .executeTakeFirst()
  return personal ?? findDefaultLine(scope)
}

/** The queues a line's customers may choose from, in menu order. */
export async function listLineQueues(scope: Scope, whatsappId: number): Promise<Selectable<DB['queues']>[]> {
  return scope.db
    .selectFrom('queues')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', (eb) => eb.selectFrom('whatsappQueues').select('queueId').where('whatsappId', '=', whatsappId))
    .orderBy('orderQueue', (order) => order.asc().nullsLast())
    .orderBy('id')
    .execute()
}
