import { settingDefinitions } from '@recado/contract/settings'
import { sql } from 'kysely'
import type { Scope } from '../kernel/data/scope.ts'
import type { UserRow } from './user-view.ts'

/** Companies with a user who wants the Monday mail, with their time zone. */
export async function findCompaniesWithWeeklyMail({
  db,
}: Scope): Promise<{ id: number; name: string; zone: string }[]> {
  const { rows } = await sql<{ id: number; name: string; zone: string }>`
    select c.id, c.name, coalesce(s.value, ${settingDefinitions.timezone.default}) as zone from companies c
    left join settings s on s."companyId" = c.id and s.key = 'timezone'
    where c.status and exists (select from users u where u."companyId" = c.id and u."weeklyMail" and u.active and not u.invited)
    order by c.id`.execute(db)
  return rows
}

/** Users who want the weekly mail and have not received this Monday's. */
export const findWeeklyMailRecipients = (scope: Scope, monday: string): Promise<UserRow[]> =>
  scope.db
    .selectFrom('users')
    .selectAll()
    .where('companyId', '=', scope.companyId)
    .where('weeklyMail', '=', true)
    .where('active', '=', true)
    .where('invited', '=', false)
    .where((eb) => eb.or([eb('weeklyMailedOn', 'is', null), eb('weeklyMailedOn', '<', monday)]))
    .orderBy('id')
    .execute()

/** Claims the mail for this transaction, so that it is sent once. */
export async function claimWeeklyMail(scope: Scope, userId: number, monday: string): Promise<boolean> {
  const claimed = await scope.db
    .updateTable('users')
    .set({ weeklyMailedOn: monday })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', userId)
    .where('weeklyMail', '=', true)
    .where((eb) => eb.or([eb('weeklyMailedOn', 'is', null), eb('weeklyMailedOn', '<', monday)]))
    .returning('id')
    .executeTakeFirst()
  return claimed !== undefined
}
