import type { Scope } from '../../../kernel/data/scope.ts'

/**
 * The one flow that may write to the customer of a ticket (`tickets.flowRunId`). Whoever takes, answers or closes the
 * ticket clears it in the same statement (`stoppedBotState`).
 */
export async function claimConversation(scope: Scope, ticketId: number, runId: number): Promise<boolean> {
  const { numUpdatedRows } = await scope.db
    .updateTable('tickets')
    .set({ flowRunId: runId })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', ticketId)
    .where((eb) => eb.or([eb('flowRunId', 'is', null), eb('flowRunId', '=', runId)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Lets other flows and bots speak in the conversations of these runs. */
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
