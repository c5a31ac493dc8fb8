import type { Scope } from '../../kernel/data/scope.ts'
import { publishChangedMessages } from './store.ts'
import { publishMessageWebhooks } from './webhook-events.ts'

type FileState =
  | {
      mediaPath: string
      mediaName: string
      mediaSize: number
      mediaPages: number | null
      mediaState: 'ready'
      error: null
    }
  | { mediaState: 'failed'; error: string }

/** Stores the state of a message's file. False: the message is deleted. */
export function setFileState(scope: Scope, id: number, state: FileState): Promise<boolean> {
  return scope.transaction(async (tx) => {
    const row = await tx.db
      .updateTable('messages')
      .set(state)
      .where('companyId', '=', tx.companyId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    // Clients that got the message without its file get an update.
    if (row && state.mediaState === 'ready') await publishMessageWebhooks(tx, 'message.state', [id])
    await publishChangedMessages(tx, row ? [id] : [])
    return row !== undefined
  })
}
