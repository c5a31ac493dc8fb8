import type { Scope } from '../../kernel/data/scope.ts'

/** The ad that last brought the customer to this conversation, for lists and reports. */
export async function setTicketAd(scope: Scope, ticketId: number, adId: number): Promise<void> {
  await scope.db
    .updateTable('tickets')
    .set({ adId })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', ticketId)
    .execute()
}
