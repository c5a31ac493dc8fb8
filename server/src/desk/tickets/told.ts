import { sql } from 'kysely'
import { because, type Caused, caused, causes, isoText, tellOutside } from '../../directory/webhooks/told.ts'
import type { Scope } from '../../kernel/data/scope.ts'

type Happened = 'ticket.opened' | 'ticket.accepted' | 'ticket.transferred' | 'ticket.resolved'

const named = (row: string) =>
  `case when ${row}.id is not null then json_build_object('id', ${row}.id, 'name', ${row}.name) end`

/** A ticket (`t`) as programs read it (contract: ApiTicket), its keys and values. */
const ticketText = `'id', t.id, 'uuid', t.uuid, 'number', t.number, 'status', t.status,
        'contact', json_build_object('id', c.id, 'name', c.name, 'number', c.number),
        'queue', ${named('q')}, 'user', ${named('u')}, 'whatsappId', t."whatsappId",
        'createdAt', ${isoText('t."createdAt"')}, 'updatedAt', ${isoText('t."updatedAt"')}`
const ticketFrom = `tickets t join contacts c on c."companyId" = t."companyId" and c.id = t."contactId"
      left join queues q on q."companyId" = t."companyId" and q.id = t."queueId"
      left join users u on u."companyId" = t."companyId" and u.id = t."userId"`

/** What became of a ticket, told to programs that want to know, as it is now. */
export async function tellTicket(scope: Scope, type: Happened, id: number): Promise<void> {
  if (scope.means.hooks.wants(scope.companyId, type)) await scope.ask(tellers[type], caused([id]))
}

const tellers = {
  'ticket.opened': teller('ticket.opened'),
  'ticket.accepted': teller('ticket.accepted'),
  'ticket.transferred': teller('ticket.transferred'),
  'ticket.resolved': teller('ticket.resolved'),
}
function teller(type: Happened) {
  return async (scope: Scope, all: Caused<number[]>[]): Promise<undefined[]> => {
    await tellOutside(
      scope,
      type,
      () => sql`select t.id as n, 't' || t.id as lane, t.id as "ticketId", t."contactId",
        json_build_object(${sql.raw(ticketText)}) as data, null::json as file, because.trace
      from ${sql.raw(ticketFrom)} join ${causes(all)} on because.id = t.id
      where t."companyId" = ${scope.companyId}`,
    )
    return all.map(() => undefined)
  }
}

/** What its queue promised was not kept. */
export const tellLate = (scope: Scope, goalId: number): Promise<void> =>
  tellOutside(
    scope,
    'ticket.late',
    () => sql`select t.id as n, 't' || t.id as lane, t.id as "ticketId", t."contactId",
        json_build_object(${sql.raw(ticketText)}, 'goal', json_build_object('kind', g.kind, 'minutes', g.minutes,
          'since', ${sql.raw(isoText('g.since'))}, 'dueAt', ${sql.raw(isoText('g."dueAt"'))})) as data, null::json as file, ${because()}
      from ${sql.raw(ticketFrom)} join "ticketGoals" g on g."companyId" = t."companyId" and g."ticketId" = t.id
      where t."companyId" = ${scope.companyId} and g.id = ${goalId}`,
  )

/** The customer said how it was. */
export const tellRated = (scope: Scope, ticketId: number, userId: number | null, rate: number): Promise<void> =>
  tellOutside(
    scope,
    'rating.created',
    () => sql`select t.id as n, 't' || t.id as lane, t.id as "ticketId", t."contactId", json_build_object(
        'ticketId', t.id, 'contactId', t."contactId", 'user', ${sql.raw(named('u'))}, 'rate', ${rate}::int,
        'createdAt', ${scope.now().toISOString()}::text
      ) as data, null::json as file, ${because()}
      from tickets t left join users u on u."companyId" = t."companyId" and u.id = ${userId}::int
      where t."companyId" = ${scope.companyId} and t.id = ${ticketId}`,
  )
