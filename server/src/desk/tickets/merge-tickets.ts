import type { Ticket } from '@recado/contract/tickets'
import { sql } from 'kysely'
import type { Scope } from '../../kernel/data/scope.ts'
import { refreshLastMessage } from '../messages/store.ts'
import { publishTicketChanged } from './base/publish-ticket.ts'
import { presentTicket } from './base/ticket-view.ts'

/** Moves all tickets, or only the given ones, from one contact to another. Returns the ids. */
export async function moveTickets(scope: Scope, from: number, to: number, ids?: number[]): Promise<number[]> {
  if (ids && !ids.length) return []
  const theirs = scope.db
    .updateTable('tickets')
    .set({ contactId: to })
    .where('companyId', '=', scope.companyId)
    .where('contactId', '=', from)
    .returning('id')
  const moved = await (ids ? theirs.where('id', 'in', ids) : theirs).execute()
  return moved.map((row) => row.id)
}

/** The unread count moves to the kept ticket, and the newer last message becomes its preview. */
export async function mergeTicketState(scope: Scope, keptId: number, double: Ticket): Promise<void> {
  const before = await presentTicket(scope, keptId)
  // A last message by an agent of another queue must not appear in this ticket's preview.
  const isOurs = double.last?.fromMe === false || double.queueId === before.queueId
  const newer = double.last !== null && isOurs && Number(double.last.id) > Number(before.last?.id ?? 0)
  await scope.db
    .updateTable('tickets')
    .set({
      unreadMessages: before.unreadMessages + double.unreadMessages,
      waitingSince: [before.waitingSince, double.waitingSince].filter((at) => at !== null).sort()[0] ?? null,
      ...(newer && {
        lastMessage: double.lastMessage,
        lastElsewhere: Number(double.last?.id),
        updatedAt: [double.updatedAt, before.updatedAt].sort()[1] as string,
      }),
    })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', keptId)
    .execute()
  publishTicketChanged(scope, before, await presentTicket(scope, keptId))
}

/** After an unmerge, removes a preview that is another contact's message. */
export async function unlinkLastMessages(scope: Scope, ticketIds: number[]): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    update tickets t set "lastElsewhere" = null from messages m
    where t."companyId" = ${scope.companyId} and m."companyId" = t."companyId" and m.id = t."lastElsewhere"
      and m."ticketId" = any(${ticketIds}::int[]) and m."contactId" <> t."contactId" returning t.id`.execute(scope.db)
  for (const { id } of rows) await refreshLastMessage(scope, id)
}
