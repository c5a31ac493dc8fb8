import { later } from '../../kernel/clock.ts'
import type { Scope } from '../../kernel/data/scope.ts'

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

export async function addErrand(scope: Scope, whatsappId: number, errand: Errand, delayMs = 0): Promise<void> {
  await scope.db
    .insertInto('lineErrands')
    .values({
      companyId: scope.companyId,
      whatsappId,
      errand: JSON.stringify(errand),
      notBefore: later(scope.now(), delayMs),
    })
    .execute()
  await scope.signal('outbox', whatsappId)
}
