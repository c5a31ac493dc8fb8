import type { Insertable } from 'kysely'
import { addMs } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'

/** The tasks of a line besides sending. */
export type LineTask =
  | { kind: 'read'; contactId: number; wids: string[] }
  | { kind: 'revoke'; contactId: number; wid: string }
  /** `was`: the state that is restored when the vendor refuses the change. */
  | { kind: 'edit'; contactId: number; wid: string; body: string; was: { body: string; isEdited: boolean } }
  | { kind: 'react'; contactId: number; wid: string; id: string; emoji: string; was: string }
  /** `wanted`: a user requested this file later and waits for it. */
  | { kind: 'fetch'; messageId: string; wanted?: true }
  | { kind: 'picture'; contactId: number }
  | { kind: 'reject'; contactId: number; callId: string }

/** A waiting task as stored. */
export type StoredLineTask = { id: number; attempts: number }

/** Postpones a task that has just failed. */
export async function postponeLineTask(scope: Scope, { id, attempts }: StoredLineTask, ms: number): Promise<void> {
  await scope.db
    .updateTable('lineErrands')
    .set({ attempts: attempts + 1, notBefore: addMs(scope.now(), ms) })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .execute()
}

/** Removes a task that is done or given up. */
export async function deleteLineTask(scope: Scope, { id }: StoredLineTask): Promise<void> {
  await scope.db.deleteFrom('lineErrands').where('companyId', '=', scope.companyId).where('id', '=', id).execute()
}

export async function addLineTask(scope: Scope, whatsappId: number, lineTask: LineTask, delayMs = 0): Promise<void> {
  const { companyId } = scope
  const notBefore = addMs(scope.now(), delayMs)
  await scope.load(insertLineTasks, { companyId, whatsappId, errand: JSON.stringify(lineTask), notBefore })
  await scope.signal('outbox', whatsappId)
}
async function insertLineTasks(scope: Scope, all: Insertable<DB['lineErrands']>[]): Promise<undefined[]> {
  await scope.db.insertInto('lineErrands').values(all).execute()
  return all.map(() => undefined)
}
