import { type SessionUser, type User, usersApi } from '@recado/contract/users'
import { canSeeAllTickets } from '@recado/contract/visibility'
import type { Selectable } from 'kysely'
import type { Scope } from '../kernel/data/scope.ts'
import type { DB } from '../kernel/data/tables.ts'
import { presentOwnCompany } from './company-view.ts'
import { loadCompanyTimeZone } from './settings.ts'

export type UserRow = Selectable<DB['users']>

/** Admins get all queues, because they work in all of them and live lists of older clients show only the queues listed here. */
export async function presentUsers(scope: Scope, rows: UserRow[]): Promise<User[]> {
  if (!rows.length) return []
  const { companyId } = scope
  const queues = await scope.db
    .selectFrom('queues')
    .select(['id', 'name', 'color'])
    .where('companyId', '=', companyId)
    .orderBy('id')
    .execute()
  const links = await scope.db
    .selectFrom('userQueues')
    .select(['userId', 'queueId'])
    .where('companyId', '=', companyId)
    .where(
      'userId',
      'in',
      rows.map((r) => r.id),
    )
    .execute()
  const steps = await scope.db
    .selectFrom('secondFactors')
    .select('userId')
    .where('companyId', '=', companyId)
    .where(
      'userId',
      'in',
      rows.map((r) => r.id),
    )
    .where('confirmedAt', 'is not', null)
    .execute()
  const keys = await scope.db
    .selectFrom('passkeys')
    .select('userId')
    .where('companyId', '=', companyId)
    .where(
      'userId',
      'in',
      rows.map((r) => r.id),
    )
    .execute()
  const zone = await loadCompanyTimeZone(scope)
  const linked = new Set(links.map((l) => `${l.userId}:${l.queueId}`))
  return rows.map((row) => ({
    ...row,
    timeZone: row.timeZone ?? zone,
    hasTimeZone: row.timeZone !== null,
    hasLoggedIn: row.lastSeenAt !== null,
    twoFactor: [...steps, ...keys].some((step) => step.userId === row.id),
    queues: queues
      .filter((q) => canSeeAllTickets(row) || linked.has(`${row.id}:${q.id}`))
      .map((q) => ({ ...q, UserQueue: { queueId: q.id } })),
  }))
}

export async function presentSessionUser(scope: Scope, row: UserRow): Promise<SessionUser> {
  const [user] = await presentUsers(scope, [row])
  return { ...(user as User), company: await presentOwnCompany(scope) }
}

/** Browsers replace their session user with the row of this event, so the row is always complete. */
export async function publishUser(scope: Scope, action: 'create' | 'update', row: UserRow): Promise<void> {
  scope.publish(usersApi.topic, { action, row: await presentSessionUser(scope, row) })
}
