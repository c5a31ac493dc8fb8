import type { TicketDetail } from '@recado/contract/tickets'
import { type RawBuilder, sql } from 'kysely'
import { lockTicket, presentTicket } from '../../desk/tickets/base/ticket-view.ts'
import type { Scope } from '../../kernel/data/scope.ts'

/** Locks the ticket, and returns it if the condition still holds for the ticket (`t`) and its line (`w`). */
export async function lockTicketIf(scope: Scope, id: number, still: RawBuilder<unknown>): Promise<TicketDetail | null> {
  await lockTicket(scope, id)
  const { rows } = await sql`
    select from tickets t join whatsapps w on w."companyId" = t."companyId" and w.id = t."whatsappId"
    where t."companyId" = ${scope.companyId} and t.id = ${id} and ${still}`.execute(scope.db)
  return rows.length ? presentTicket(scope, id) : null
}
