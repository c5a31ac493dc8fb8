import type { WACallEvent } from 'baileys'
import type { InboundEvent } from '../../line.ts'
import { jidToIdentity } from './parse-message.ts'

/** Converts an incoming call to an event. Group calls are ignored. */
export function toCallEvent(call: WACallEvent): InboundEvent | null {
  if (call.status !== 'offer' || call.isGroup) return null
  const person = jidToIdentity(call.from, call.callerPn)
  return {
    kind: 'call',
    id: call.id,
    chat: person.phone ? `${person.phone}@s.whatsapp.net` : call.chatId,
    at: call.date.toISOString(),
    person,
    pushName: '',
    missed: true,
    video: Boolean(call.isVideo),
  }
}
