import { sql } from 'kysely'
import {
  enqueueWebhookEvents,
  isoTimestampSql,
  traceColumn,
  traceRows,
  type WithTrace,
  withTrace,
} from '../../../directory/webhooks/webhook-events.ts'
import type { Scope } from '../../../kernel/data/scope.ts'
import { ticketPrioritySql } from './ticket-view.ts'

type TicketWebhookType = 'ticket.opened' | 'ticket.accepted' | 'ticket.transferred' | 'ticket.resolved'

const namedRecordSql = (row: string) =>
  `case when ${row}.id is not null then json_build_object('id', ${row}.id, 'name', ${row}.name) end`

/** The keys and values of a ticket (`t`) in API events (contract: ApiTicket). */
const webhookTicketSql = `'id', t.id, 'uuid', t.uuid, 'number', t.number, 'status', t.status, 'priority', ${ticketPrioritySql('t')},
        'snoozedUntil', ${isoTimestampSql('t."snoozedUntil"')},
        'contact', json_build_object('id', c.id, 'name', c.name, 'number', c.number),
        'queue', ${namedRecordSql('q')}, 'user', ${namedRecordSql('u')}, 'whatsappId', t."whatsappId",
        'createdAt', ${isoTimestampSql('t."createdAt"')}, 'updatedAt', ${isoTimestampSql('t."updatedAt"')}`
const webhookTicketFrom = `tickets t join contacts c on c."companyId" = t."companyId" and c.id = t."contactId"
      left join queues q on q."companyId" = t."companyId" and q.id = t."queueId"
      left join users u on u."companyId" = t."companyId" and u.id = t."userId"`

/** How the ticket was closed last. */
const webhookClosingSql = `(
          select json_build_object('reason', ${namedRecordSql('r')}, 'fields', coalesce(k."closingValues", '[]'),
            'note', coalesce(k."closingNote", ''), 'byItself', coalesce(k."closedItself", false))
          from "ticketTracking" k
          left join "closingReasons" r on r."companyId" = k."companyId" and r.id = k."closingReasonId"
          where k."companyId" = t."companyId" and k."ticketId" = t.id and k."endedBy" = 'resolved'
          order by k.id desc limit 1)`

/** Publishes a ticket event to webhooks, with the current state. */
export async function publishTicketWebhook(scope: Scope, type: TicketWebhookType, id: number): Promise<void> {
  if (scope.deps.webhookInterest.wants(scope.companyId, type))
    await scope.load(webhookPublishers[type], withTrace([id]))
}

const webhookPublishers = {
  'ticket.opened': makeWebhookPublisher('ticket.opened'),
  'ticket.accepted': makeWebhookPublisher('ticket.accepted'),
  'ticket.transferred': makeWebhookPublisher('ticket.transferred'),
  'ticket.resolved': makeWebhookPublisher('ticket.resolved'),
}
function makeWebhookPublisher(type: TicketWebhookType) {
  return async (scope: Scope, all: WithTrace<number[]>[]): Promise<undefined[]> => {
    await enqueueWebhookEvents(
      scope,
      type,
      () => sql`select t.id as n, 't' || t.id as lane, t.id as "ticketId", t."contactId",
        json_build_object(${sql.raw(webhookTicketSql)}${sql.raw(type === 'ticket.resolved' ? `, 'closing', ${webhookClosingSql}` : '')}) as data,
        null::json as file, because.trace
      from ${sql.raw(webhookTicketFrom)} join ${traceRows(all)} on because.id = t.id
      where t."companyId" = ${scope.companyId}`,
    )
    return all.map(() => undefined)
  }
}

/** Publishes the breach of an SLA goal. */
export const publishGoalMissedWebhook = (scope: Scope, goalId: number): Promise<void> =>
  enqueueWebhookEvents(
    scope,
    'ticket.late',
    () => sql`select t.id as n, 't' || t.id as lane, t.id as "ticketId", t."contactId",
        json_build_object(${sql.raw(webhookTicketSql)}, 'goal', json_build_object('kind', g.kind, 'minutes', g.minutes,
          'since', ${sql.raw(isoTimestampSql('g.since'))}, 'dueAt', ${sql.raw(isoTimestampSql('g."dueAt"'))})) as data, null::json as file, ${traceColumn()}
      from ${sql.raw(webhookTicketFrom)} join "ticketGoals" g on g."companyId" = t."companyId" and g."ticketId" = t.id
      where t."companyId" = ${scope.companyId} and g.id = ${goalId}`,
  )

/** Publishes the customer's rating. */
export const publishRatingWebhook = (
  scope: Scope,
  {
    ticketId,
    userId,
    rate,
    scale,
    score,
  }: { ticketId: number; userId: number | null; rate: number; scale: number; score: number },
): Promise<void> =>
  enqueueWebhookEvents(
    scope,
    'rating.created',
    () => sql`select t.id as n, 't' || t.id as lane, t.id as "ticketId", t."contactId", json_build_object(
        'ticketId', t.id, 'contactId', t."contactId", 'user', ${sql.raw(namedRecordSql('u'))}, 'rate', ${rate}::int,
        'scale', ${scale}::int, 'score', ${score}::int,
        'createdAt', ${scope.now().toISOString()}::text
      ) as data, null::json as file, ${traceColumn()}
      from tickets t left join users u on u."companyId" = t."companyId" and u.id = ${userId}::int
      where t."companyId" = ${scope.companyId} and t.id = ${ticketId}`,
  )
