import type { ContactListQuery } from '@recado/contract/campaigns/contact-lists'
import { dateOfWallTime } from '@recado/contract/schedules/occurrences'
import { fold } from '@recado/contract/text/fold'
import { type RawBuilder, sql } from 'kysely'
import { loadCompanyTimeZone } from '../../accounts/settings.ts'
import { addDays } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import { AppError } from '../../kernel/errors.ts'
import { assertOwnAds } from '../ads.ts'

/** A condition for contacts that match the whole filter. `c` is the contact. */
export async function questionCondition(scope: Scope, question: ContactListQuery): Promise<RawBuilder<boolean>> {
  const { tagIds, queueIds, adIds = [], wroteFrom, wroteUntil, field } = question
  const zone = await loadCompanyTimeZone(scope)
  const theirs = sql`"companyId" = c."companyId" and "contactId" = c.id`
  const wrote = [
    ...(wroteFrom ? [sql`and m."createdAt" >= ${dateOfWallTime(`${wroteFrom}T00:00`, zone)}`] : []),
    ...(wroteUntil ? [sql`and m."createdAt" < ${dateOfWallTime(`${addDays(wroteUntil, 1)}T00:00`, zone)}`] : []),
  ]
  const conditions = [
    sql`c."companyId" = ${scope.companyId} and c."mergedInto" is null and not c."isGroup"`,
    ...(tagIds.length
      ? [
          sql`exists (select from tickets t join "ticketTags" g on g."companyId" = t."companyId" and g."ticketId" = t.id
            where t."companyId" = c."companyId" and t."contactId" = c.id and g."tagId" = any(${tagIds}::int[]))`,
        ]
      : []),
    ...(queueIds.length
      ? [sql`exists (select from tickets where ${theirs} and "queueId" = any(${queueIds}::int[]))`]
      : []),
    ...(adIds.length ? [sql`exists (select from tickets where ${theirs} and "adId" = any(${adIds}::int[]))`] : []),
    ...(wrote.length
      ? [
          sql`exists (select from messages m where m."companyId" = c."companyId" and m."contactId" = c.id
            and not m."fromMe" ${sql.join(wrote, sql` `)})`,
        ]
      : []),
    ...(field
      ? [
          sql`exists (select from "contactFields" where ${theirs} and fold(name) = ${fold(field.name)}
            and fold(value) = ${fold(field.value)})`,
        ]
      : []),
  ]
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** Tags, queues and ads of a filter must belong to the company. */
export async function assertOwnTagsAndQueues(
  scope: Scope,
  { tagIds, queueIds, adIds }: ContactListQuery,
): Promise<void> {
  const missing = async (table: 'tags' | 'queues', ids: number[]) => {
    const found = ids.length
      ? await scope.db
          .selectFrom(table)
          .select('id')
          .where('companyId', '=', scope.companyId)
          .where('id', 'in', ids)
          .execute()
      : []
    return found.length < new Set(ids).size
  }
  if (await missing('tags', tagIds)) throw new AppError('ERR_NO_TAG_FOUND')
  if (await missing('queues', queueIds)) throw new AppError('ERR_QUEUE_NOT_FOUND')
  await assertOwnAds(scope, adIds)
}

/** Number of examples shown. */
const maxShownMatches = 5

export async function countQuestionMatches(scope: Scope, question: ContactListQuery) {
  const found = await questionCondition(scope, question)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from contacts c where ${found}`.execute(
    scope.db,
  )
  const first = await sql<{ id: number; name: string; number: string }>`
    select c.id, c.name, c.number from contacts c where ${found} order by c.search collate "C", c.id limit ${maxShownMatches}`.execute(
    scope.db,
  )
  return { count: rows[0]?.count ?? 0, first: first.rows }
}
