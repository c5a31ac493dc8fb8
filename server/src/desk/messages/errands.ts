import type { Insertable } from 'kysely'
import { later } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'
import type { DB } from '../../kernel/data/tables.ts'

/** What a line does besides sending. */
export type Errand =
  | { kind: 'read'; contactId: number; wids: string[] }
  | { kind: 'revoke'; contactId: number; wid: string }
  /** `was`: what to go back to when it is refused. */
  | { kind: 'edit'; contactId: number; wid: string; body: string; was: { body: string; isEdited: boolean } }
  | { kind: 'react'; contactId: number; wid: string; id: string; emoji: string; was: string }
  /** `wanted`: somebody waits for this one, and asked for it long after it was sent. */
  | { kind: 'fetch'; messageId: string; wanted?: true }
  | { kind: 'picture'; contactId: number }
  | { kind: 'reject'; contactId: number; callId: string }

/** One that waits, as it is stored. */
export type Waiting = { id: number; attempts: number }

/** It did not go now: it comes again after so long. */
export async function postponeErrand(scope: Scope, { id, attempts }: Waiting, ms: number): Promise<void> {
  await scope.db
    .updateTable('lineErrands')
    .set({ attempts: attempts + 1, notBefore: later(scope.now(), ms) })
    .where('companyId', '=', scope.companyId)
    .where('id', '=', id)
    .execute()
}

/** Done, or given up. */
export async function endErrand(scope: Scope, { id }: Waiting): Promise<void> {
  await scope.db.deleteFrom('lineErrands').where('companyId', '=', scope.companyId).where('id', '=', id).execute()
}

export async function addErrand(scope: Scope, whatsappId: number, errand: Errand, delayMs = 0): Promise<void> {
  const { companyId } = scope
  const notBefore = later(scope.now(), delayMs)
  await scope.ask(insertAll, { companyId, whatsappId, errand: JSON.stringify(errand), notBefore })
  await scope.signal('outbox', whatsappId)
}
async function insertAll(scope: Scope, all: Insertable<DB['lineErrands']>[]): Promise<undefined[]> {
  await scope.db.insertInto('lineErrands').values(all).execute()
  return all.map(() => undefined)
}
