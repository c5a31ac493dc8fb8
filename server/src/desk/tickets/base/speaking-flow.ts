import type { Scope } from '../../../kernel/data/scope.ts'

/**
 * Lets other flows and bots speak in the conversations of these runs. Otherwise one flow alone may write to the customer
 * of a ticket (`tickets.flowRunId`), until somebody takes, answers or closes it (`stoppedBotState`).
 */
export async function releaseConversations(
  scope: Scope,
  tickets: { ticketId: number; runId: number }[],
): Promise<void> {
  if (!tickets.length) return
  await scope.db
    .updateTable('tickets')
    .set({ flowRunId: null })
    .where('companyId', '=', scope.companyId)
    .where('id', 'in', [...new Set(tickets.map(({ ticketId }) => ticketId))])
    .where('flowRunId', 'in', [...new Set(tickets.map(({ runId }) => runId))])
    .execute()
}
