import type { TicketEvent } from '@recado/contract/tickets'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'

const pageSize = 50

/**
 * The events and actions of a ticket, newest first, each with its stored reasons, so that any ticket can be explained.
 * Equal times are ordered by id; ids are text, so a longer one is greater.
 */
export async function listTicketEvents(
  scope: Scope,
  ticketId: number,
  { pageNumber, deeds: actions }: { pageNumber: number; deeds: boolean },
): Promise<{ events: TicketEvent[]; hasMore: boolean }> {
  const { rows } = await sql<TicketEvent>`
    select * from (
      select 'j' || j.id as id, j."receivedAt" as at, j.kind, m.id::text as "messageId",
        coalesce(j.event->>'targetId', j.event->>'id') as "phoneId", null::json as actor, j.steps
      from journal j left join messages m on j.kind = 'message' and m."companyId" = j."companyId" and m."whatsappId" = j."whatsappId"
        and m.wid = substr(j."eventId", length('message:') + 1)
      where j."companyId" = ${scope.companyId} and j."ticketId" = ${ticketId} and not ${actions}::boolean
      union all
      select 'e' || e.id, e.at, e.kind, null, null, case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end, e.steps
      from "ticketEvents" e left join users u on u."companyId" = e."companyId" and u.id = e."userId"
      where e."companyId" = ${scope.companyId} and e."ticketId" = ${ticketId}
    ) all_of_it order by at desc, left(id, 1) desc, length(id) desc, id desc limit ${pageSize + 1} offset ${(pageNumber - 1) * pageSize}`.execute(
    scope.db,
  )
  return { events: rows.slice(0, pageSize), hasMore: rows.length > pageSize }
}
