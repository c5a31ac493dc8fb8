import type { Scope } from '../../kernel/data/scope.ts'
import { publishChangedMessages } from './store.ts'

/** What a machine heard in a voice note stands under it from now on, for people too. */
export const storeTranscript = (scope: Scope, id: number, transcript: string): Promise<void> =>
  scope.transaction(async (tx) => {
    await tx.db
      .updateTable('messages')
      .set({ transcript })
      .where('companyId', '=', tx.companyId)
      .where('id', '=', id)
      .execute()
    await publishChangedMessages(tx, [id])
  })
