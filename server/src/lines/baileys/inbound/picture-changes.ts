import type { Contact } from 'baileys'
import type { InboundEvent } from '../../line.ts'
import { jidToIdentity } from './parse-message.ts'

/**
 * A contact changed or removed their profile picture. The event id contains the day: the journal takes each event
 * once, so a picture is requested at most once a day.
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
