import { sql } from 'kysely'
import type { Means } from '../../kernel/data/scope.ts'

/** Something whose time has come, or comes within the look-ahead: which timer, whose ticket, and when. */
export type Due = { timer: 'expires' | 'waits' | 'rating'; companyId: number; ticketId: number; at: string }

/**
 * By what is written down, never by what a process remembers: whatever the house slept through is found when it wakes.
 * Each part walks an index from the longest idle on, so that a look costs next to nothing while nothing is due.
 */
const look = `
  select * from (
    (select 'expires' as timer, t."companyId", t.id as "ticketId", t."updatedAt" + make_interval(mins => w."expiresTicket") as at
      from whatsapps w join tickets t on t."companyId" = w."companyId" and t.status = 'open'
        and t."updatedMinute" <= floor(extract(epoch from $1::timestamptz) / 60)::int - w."expiresTicket"
      where w."expiresTicket" > 0 and t."whatsappId" = w.id and t."fromMe" and not t."isGroup"
        and t."updatedAt" + make_interval(mins => w."expiresTicket") <= $1
      limit $2)
    union all
    (select 'waits', t."companyId", t.id, k."queuedAt" + make_interval(mins => w."timeToTransfer")
      from whatsapps w join tickets t on t."companyId" = w."companyId" and t."queueId" is null and t.status = 'pending'
      join "ticketTracking" k on k."companyId" = t."companyId" and k."ticketId" = t.id and k."finishedAt" is null
      where w."timeToTransfer" > 0 and w."transferQueueId" is not null and t."whatsappId" = w.id and not t."isGroup"
        and k."queuedAt" + make_interval(mins => w."timeToTransfer") <= $1
      limit $2)
    union all
    (select 'rating', r."companyId", r."ticketId", r.until from "ratingRequests" r where r.until <= $1 order by r.until limit $2)
  ) due order by at limit $2`

export async function findDue(means: Means, until: Date, most: number): Promise<Due[]> {
  const found = await means.database.platformPool.query<Due>({ name: 'timers_due', text: look, values: [until, most] })
  return found.rows
}

/** The same for one ticket that is held: somebody may have acted while we came. */
export async function isDue(
  db: Means['database']['platform'],
  { timer, companyId, ticketId }: Due,
  now: Date,
): Promise<boolean> {
  const expires = sql`t.status = 'open' and t."fromMe" and not t."isGroup" and w."expiresTicket" > 0
    and t."updatedAt" + make_interval(mins => w."expiresTicket") <= ${now}`
  const waits = sql`t.status = 'pending' and t."queueId" is null and w."timeToTransfer" > 0 and w."transferQueueId" is not null
    and exists (select from "ticketTracking" k where k."companyId" = t."companyId" and k."ticketId" = t.id
      and k."finishedAt" is null and k."queuedAt" + make_interval(mins => w."timeToTransfer") <= ${now})`
  const { rows } = await sql`
    select from tickets t join whatsapps w on w."companyId" = t."companyId" and w.id = t."whatsappId"
    where t."companyId" = ${companyId} and t.id = ${ticketId} and ${timer === 'expires' ? expires : waits}`.execute(db)
  return rows.length > 0
}
