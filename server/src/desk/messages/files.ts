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

/** What became of a message's file. False: the message is gone. */
export function setFileState(scope: Scope, id: number, state: FileState): Promise<boolean> {
  return scope.transaction(async (tx) => {
    const row = await tx.db
      .updateTable('messages')
      .set(state)
      .where('companyId', '=', tx.companyId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    // Who was told of the message without its file hears that it is there.
    if (row && state.mediaState === 'ready') await publishMessageWebhooks(tx, 'message.state', [id])
    await publishChangedMessages(tx, row ? [id] : [])
    return row !== undefined
  })
}
