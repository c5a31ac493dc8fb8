import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { scheduleFileRemoval } from '../../kernel/files/media.ts'

export type ErasedMessageKey = { whatsappId: number; wid: string }
type OldMessageRow = ErasedMessageKey & { mediaPath: string | null; voicePath: string | null }

/** Deletes messages before that moment in these tickets, if closed and not locked; returns them with their files. */
export const eraseOldMessages = (
  scope: Scope,
  ticketIds: number[],
  before: string,
  limit: number,
): Promise<ErasedMessageKey[]> =>
  eraseSelected(
    scope,
    sql`select m.id from messages m join (
        select id from tickets where "companyId" = ${scope.companyId} and id = any (${ticketIds}::int[]) and status = 'closed'
        for no key update skip locked) t on m."ticketId" = t.id
      where m."companyId" = ${scope.companyId} and m."createdAt" < ${before} limit ${limit}`,
  )

/** Deletes old messages without a ticket, unless they still wait to be sent. */
export const eraseOldUnticketedMessages = (scope: Scope, before: string, limit: number): Promise<ErasedMessageKey[]> =>
  eraseSelected(
    scope,
    sql`select id from messages where "companyId" = ${scope.companyId} and "ticketId" is null and "createdAt" < ${before}
      and state not in ('queued', 'sending') order by "createdAt" limit ${limit}`,
  )

async function eraseSelected(scope: Scope, which: RawBuilder<unknown>): Promise<ErasedMessageKey[]> {
  const { rows } = await sql<OldMessageRow>`
    with aged as materialized (${which})
    delete from messages m using aged where m."companyId" = ${scope.companyId} and m.id = aged.id
    returning m."whatsappId", m.wid, m."mediaPath", m."sendAs" #>> '{voice,path}' as "voicePath"`.execute(scope.db)
  await scheduleFileRemoval(
    scope,
    rows.flatMap(({ mediaPath, voicePath }) => [mediaPath, voicePath]),
  )
  return rows
}
