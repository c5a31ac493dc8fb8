import type { Scope } from '../../kernel/data/scope.ts'
import { publishChangedMessages } from './store.ts'

/** Stores the transcript of a voice note, which is also shown to agents. */
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
