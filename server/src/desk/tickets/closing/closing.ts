import type { TicketEventStep } from '@recado/contract/tickets'
import type { StoredClosingValue, TicketClosing } from '@recado/contract/tickets/closing'
import { sql } from 'kysely'
import { isoTimestampSql } from '../../../directory/webhooks/webhook-events.ts'
import type { Scope } from '../../../kernel/data/scope.ts'

/** What a person said when they closed a ticket. */
export type ClosingRecord = { reason: { id: number; name: string } | null; note: string; values: StoredClosingValue[] }
export const noClosing: ClosingRecord = { reason: null, note: '', values: [] }

/** The prefix of a field's name in the journal. */
const fieldPrefix = 'field '

/** The closing in the ticket's journal; fields have a prefix, because people name them. */
export const describeClosing = ({ reason, note, values }: ClosingRecord): TicketEventStep['with'] => ({
  ...(reason && { reason: reason.name }),
  ...(note && { note }),
  ...Object.fromEntries(values.map(({ name, value }) => [fieldPrefix + name, value])),
})

const maxClosingsListed = 50

/** How the ticket was closed each time, newest first. */
export async function listClosings(scope: Scope, ticketId: number): Promise<TicketClosing[]> {
  const { rows } = await sql<TicketClosing>`
    select ${sql.raw(isoTimestampSql('k."finishedAt"'))} as at,
      case when r.id is not null then json_build_object('id', r.id, 'name', r.name) end as reason,
      coalesce(k."closingValues", '[]') as fields, coalesce(k."closingNote", '') as note,
      coalesce(k."closedItself", false) as "byItself",
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name) end as "user"
    from "ticketTracking" k
    left join "closingReasons" r on r."companyId" = k."companyId" and r.id = k."closingReasonId"
    left join users u on u."companyId" = k."companyId" and u.id = k."userId"
    where k."companyId" = ${scope.companyId} and k."ticketId" = ${ticketId} and k."endedBy" = 'resolved'
    order by k.id desc limit ${sql.lit(maxClosingsListed)}`.execute(scope.db)
  return rows
}
