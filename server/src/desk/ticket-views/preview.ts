import type { Reply } from '@recado/contract/endpoint'
import { mayIncludeClosed, type TicketConditions } from '@recado/contract/views/ticket-conditions'
import type { ticketViewsApi } from '@recado/contract/views/ticket-views'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { ticketOrders } from '../tickets/base/index-paths.ts'
import { requireViewer } from '../tickets/base/sharing.ts'
import { presentTickets } from '../tickets/base/ticket-view.ts'
import { viewFilterSql } from './select-view.ts'

/** How many tickets a preview looks at, and how many it shows. */
const maxTicketsPreviewed = 20_000
const previewedTickets = 20

type PreviewBody = { conditions: TicketConditions; order: keyof typeof ticketOrders }
/** The tickets that meet conditions which nobody has saved. It looks at the newest tickets only, so that it is always fast. */
export async function previewView(
  scope: Scope,
  { conditions, order }: PreviewBody,
): Promise<Reply<typeof ticketViewsApi.preview>> {
  const viewer = requireViewer(scope)
  const isLiving = !mayIncludeClosed(conditions)
  const { rows } = await sql<{ ids: number[]; count: number }>`
    with candidates as materialized (
      select t.* from tickets t where t."companyId" = ${scope.companyId}
        ${isLiving ? sql`and t.status in ('open', 'pending')` : sql``}
      order by t."updatedMinute" desc limit ${maxTicketsPreviewed}
    ),
    found as materialized (select t.* from candidates t where ${viewFilterSql(scope, viewer, conditions)})
    select (select count(*)::int from found) as count,
      array(select t.id from found t order by ${ticketOrders[order].exact} limit ${previewedTickets}) as ids`.execute(
    scope.db,
  )
  const { ids = [], count = 0 } = rows[0] ?? {}
  return { tickets: await presentTickets(scope, ids), count }
}
