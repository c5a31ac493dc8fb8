import type { Scope } from '../kernel/data/scope.ts'
import { publishUser } from './user-view.ts'

const selectUsersOfLine = (scope: Scope, whatsappId: number) =>
  scope.db.selectFrom('users').where('companyId', '=', scope.companyId).where('whatsappId', '=', whatsappId)

export async function countUsersOfLine(scope: Scope, whatsappId: number): Promise<number> {
  const { count } = await selectUsersOfLine(scope, whatsappId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Agents whose own line was the first one write with the second. */
export async function moveUsersToLine(scope: Scope, fromId: number, toId: number): Promise<void> {
  const rows = await scope.db
    .updateTable('users')
    .set({ whatsappId: toId })
    .where('companyId', '=', scope.companyId)
    .where('whatsappId', '=', fromId)
    .returningAll()
    .execute()
  for (const row of rows) await publishUser(scope, 'update', row)
}
