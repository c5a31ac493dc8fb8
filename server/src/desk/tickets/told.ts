import { sql } from 'kysely'
import { isoText, tellOutside } from '../../directory/webhooks/told.ts'
import type { Scope } from '../../kernel/data/scope.ts'

type Happened = 'ticket.opened' | 'ticket.accepted' | 'ticket.transferred' | 'ticket.resolved'

const named = (row: string) =>
  `case when ${row}.id is not null then json_build_object('id', ${row}.id, 'name', ${row}.name) end`

/** What became of a ticket, told to programs that want to know, as it is now (contract: ApiTicket). */
export const tellTicket = (scope: Scope, type: Happened, id: number): Promise<void> =>
  tellOutside(
    scope,
    type,
    () => sql`select t.id as n, 't' || t.id as lane, t.id as "ticketId", t."contactId", json_build_object(
        'id', t.id, 'uuid', t.uuid, 'number', t.number, 'status', t.status,
        'contact', json_build_object('id', c.id, 'name', c.name, 'number', c.number),
        'queue', ${sql.raw(named('q'))}, 'user', ${sql.raw(named('u'))}, 'whatsappId', t."whatsappId",
        'createdAt', ${sql.raw(isoText('t."createdAt"'))}, 'updatedAt', ${sql.raw(isoText('t."updatedAt"'))}
      ) as data, null::json as file
      from tickets t join contacts c on c."companyId" = t."companyId" and c.id = t."contactId"
      left join queues q on q."companyId" = t."companyId" and q.id = t."queueId"
      left join users u on u."companyId" = t."companyId" and u.id = t."userId"
      where t."companyId" = ${scope.companyId} and t.id = ${id}`,
  )

/** The customer said how it was. */
export const tellRated = (scope: Scope, ticketId: number, userId: number | null, rate: number): Promise<void> =>
  tellOutside(
    scope,
    'rating.created',
    () => sql`select t.id as n, 't' || t.id as lane, t.id as "ticketId", t."contactId", json_build_object(
        'ticketId', t.id, 'contactId', t."contactId", 'user', ${sql.raw(named('u'))}, 'rate', ${rate}::int,
        'createdAt', ${scope.now().toISOString()}::text
      ) as data, null::json as file
      from tickets t left join users u on u."companyId" = t."companyId" and u.id = ${userId}::int
      where t."companyId" = ${scope.companyId} and t.id = ${ticketId}`,
  )
