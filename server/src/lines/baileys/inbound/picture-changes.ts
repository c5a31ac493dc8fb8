import type { Contact } from 'baileys'
import type { InboundEvent } from '../../line.ts'
import { jidToIdentity } from './parse-message.ts'

/**
 * Somebody changed their picture, or took it away. Named by its day: the journal takes each event once, so nobody is
 * asked for theirs twice a day, however often they change it.
 */
export function toPictureEvents(changes: Partial<Contact>[], now: Date): InboundEvent[] {
  return changes.flatMap(({ id, imgUrl }): InboundEvent[] => {
    const person = jidToIdentity(id)
    if (!id || !imgUrl || (!person.phone && !person.lid)) return []
    const base = { kind: 'contact' as const, id: `${id}:${imgUrl}:${now.toISOString().slice(0, 10)}`, chat: id, person }
    const news = imgUrl === 'changed' ? { looksNew: true as const } : { picture: null }
    return [{ ...base, ...news, at: now.toISOString() }]
  })
}
