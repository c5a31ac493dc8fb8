import type { Scope } from '../../kernel/data/scope.ts'
import { announceChange } from './store.ts'

/** What a machine heard in a voice note stands under it from now on, for people too. */
export const keepTranscript = (scope: Scope, id: number, transcript: string): Promise<void> =>
  scope.transaction(async (tx) => {
    await tx.db
      .updateTable('messages')
      .set({ transcript })
      .where('companyId', '=', tx.companyId)
      .where('id', '=', id)
      .execute()
    await announceChange(tx, [id])
  })
