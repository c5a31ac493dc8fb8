import type { Scope } from '../../kernel/data/scope.ts'

/** What the desk does about it: it stands above us, so it says so itself (see app.ts). */
export type AtDesk = {
  /** Two living tickets of one person on one line: this one has to end, in favour of the other. */
  close(scope: Scope, ticketId: number, keptId: number): Promise<void>
  /** These tickets have another contact now; before, they had this one. */
  moved(scope: Scope, ticketIds: number[], from: number): Promise<void>
  /** These tickets are about to go, with the contact they belong to. */
  leaving(scope: Scope, ticketIds: number[]): Promise<void>
}

/** Without a desk above: the ticket ends, and nobody is told. */
export const plainDesk: AtDesk = {
  async close(scope, ticketId) {
    await scope.db
      .updateTable('tickets')
      .set({ status: 'closed', unreadMessages: 0, updatedAt: scope.now() })
      .where('companyId', '=', scope.companyId)
      .where('id', '=', ticketId)
      .execute()
  },
  moved: async () => {},
  leaving: async () => {},
}
