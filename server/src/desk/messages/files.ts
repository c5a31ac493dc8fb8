import type { Scope } from '../../kernel/data/scope.ts'
import { announceChange } from './store.ts'
import { tellMessages } from './told.ts'

type File =
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
export function setFile(scope: Scope, id: number, state: File): Promise<boolean> {
  return scope.transaction(async (tx) => {
    const row = await tx.db
      .updateTable('messages')
      .set(state)
      .where('companyId', '=', tx.companyId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst()
    // Who was told of the message without its file hears that it is there.
    if (row && state.mediaState === 'ready') await tellMessages(tx, 'message.state', [id])
    await announceChange(tx, row ? [id] : [])
    return row !== undefined
  })
}
