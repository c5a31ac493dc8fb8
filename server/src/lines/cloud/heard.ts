import type { Identity, InboundEvent, InboundMessage } from '../line.ts'
import { momentOf } from '../moment.ts'
import { contentOf } from './content.ts'
import { asFault, reasonOf } from './failures.ts'
import { type Loose, loose, looseList, said } from './loose.ts'

/** An id we chose ourselves, which came back to us (desk/messages/store.ts makes them). */
const ownId = /^3EB0[0-9A-F]{18}$/

/** What one change says for one number. `sent`: which id Meta gave to which of ours. */
export type Heard = {
  phoneNumberId: string
  events: InboundEvent[]
  sent: { wid: string; wamid: string }[]
  /** The approved templates are not what they were. */
  templates: boolean
}

/** Everything in one call of Meta's, by number; of an account as a whole, with an empty number. */
export function heardIn(body: Loose): Heard[] {
  return looseList(body.entry).flatMap((entry) =>
    looseList(entry.changes).map((change) => ofChange(said(change.field), loose(change.value))),
  )
}

function ofChange(field: string, value: Loose): Heard {
  const phoneNumberId = said(loose(value.metadata).phone_number_id)
  const nothing = { phoneNumberId, events: [], sent: [], templates: false }
  if (field.startsWith('message_template_') || field.startsWith('template_')) return { ...nothing, templates: true }
  if (field === 'smb_message_echoes')
    return { ...nothing, events: looseList(value.message_echoes).flatMap((message) => echoOf(message, value)) }
  if (field === 'calls') return { ...nothing, events: looseList(value.calls).flatMap((call) => callOf(call, value)) }
  if (field !== 'messages') return nothing
  const statuses = looseList(value.statuses)
  const events = [
    ...looseList(value.messages).flatMap((message) => messageOf(message, value)),
    ...statuses.flatMap(statusOf),
  ]
  return { ...nothing, events, sent: statuses.flatMap(sentOf) }
}

const timeOf = (timestamp: unknown): string => momentOf(Number(timestamp)).toISOString()

/** A telephone where Meta tells it, the id it has for this business, and the name that the person chose. */
function personOf(phone: unknown, userId: unknown, contact: Loose): Identity {
  const number = said(phone) || said(contact.wa_id)
  const cloud = said(userId) || said(contact.user_id) || (/^\d+$/.test(number) ? '' : number)
  const username = said(loose(contact.profile).username) || said(contact.username)
  return {
    ...(/^\d+$/.test(number) && { phone: number }),
    ...(cloud && { cloud }),
    ...(username && { username }),
  }
}

export const chatOf = (person: Identity): string =>
  person.phone ? `${person.phone}@s.whatsapp.net` : `${person.cloud ?? person.username ?? ''}@cloud`

const nameIn = (contact: Loose): string => said(loose(contact.profile).name)

type Contacts = { all: Loose[]; byNumber: Map<string, number>; byUser: Map<string, number> }
/** Of each change, made once: a change can have thousands of contacts, and thousands of messages that look for theirs. */
const contactsOf = new WeakMap<Loose, Contacts>()

function contactsIn(value: Loose): Contacts {
  const known = contactsOf.get(value)
  if (known) return known
  const made: Contacts = { all: looseList(value.contacts), byNumber: new Map(), byUser: new Map() }
  for (const [at, contact] of made.all.entries()) {
    const [number, user] = [said(contact.wa_id), said(contact.user_id)]
    if (!made.byNumber.has(number)) made.byNumber.set(number, at)
    if (!made.byUser.has(user)) made.byUser.set(user, at)
  }
  contactsOf.set(value, made)
  return made
}

/** Of several contacts in one change, the one who wrote. */
function contactOf(from: string, userId: string, value: Loose): Loose {
  const { all, byNumber, byUser } = contactsIn(value)
  const places = [from && byNumber.get(from), userId && byUser.get(userId)].filter((at) => typeof at === 'number')
  const first = places.length ? all[Math.min(...places)] : undefined
  return first ?? (all.length === 1 ? (all[0] as Loose) : {})
}

function messageOf(message: Loose, value: Loose): InboundEvent[] {
  const id = said(message.id)
  const [from, userId] = [said(message.from), said(message.from_user_id)]
  const contact = contactOf(from, userId, value)
  const person = personOf(from, userId, contact)
  if (!id || !Object.keys(person).length) return []
  const group = said(message.group_id)
  const chat = group ? `${group}@g.us` : chatOf(person)
  const base = { id, chat, at: timeOf(message.timestamp) }
  const type = said(message.type)
  const name = nameIn(contact)
  if (type === 'reaction') {
    const { message_id, emoji } = loose(message.reaction)
    const from = person.phone ?? person.cloud ?? ''
    return [{ ...base, kind: 'reaction', targetId: said(message_id), emoji: said(emoji), fromMe: false, from, name }]
  }
  if (type === 'revoke') return [{ ...base, kind: 'revoke', targetId: said(loose(message.revoke).original_message_id) }]
  if (type === 'edit') {
    const edit = loose(message.edit)
    const content = contentOf(loose(edit.message))
    const body = 'body' in content ? content.body : ''
    return [{ ...base, kind: 'edit', targetId: said(edit.original_message_id), body }]
  }
  const quotedId = said(loose(message.context).id)
  const referral = referralOf(message)
  const heard: InboundMessage = {
    ...base,
    kind: 'message',
    fromMe: false,
    person,
    pushName: name,
    content: contentOf(message),
    ...(group && { group: { id: group, name: group, author: person, authorName: name } }),
    ...(quotedId && { quotedId }),
    ...(referral && { referral }),
  }
  return [heard]
}

/** The advertisement or post that made them write. */
function referralOf(message: Loose): InboundMessage['referral'] | undefined {
  const { headline, body, source_url } = loose(message.referral)
  const [title, url] = [said(headline) || said(body), said(source_url)]
  return title || url ? { title: title.slice(0, 200), url: url.slice(0, 500) } : undefined
}

/** Written in the WhatsApp Business app on the same number. */
function echoOf(message: Loose, value: Loose): InboundEvent[] {
  const id = said(message.id)
  const [to, userId] = [said(message.to), said(message.to_user_id)]
  const person = personOf(to, userId, contactOf(to, userId, value))
  if (!id || !Object.keys(person).length) return []
  const base = { id, chat: chatOf(person), at: timeOf(message.timestamp) }
  return [{ ...base, kind: 'message', fromMe: true, person, pushName: '', content: contentOf(message) }]
}

/** A call is a lost one: nobody can take it here. It is told when it rings and when it ends, under the same id. */
function callOf(call: Loose, value: Loose): InboundEvent[] {
  const [id, from, userId] = [said(call.id), said(call.from), said(call.from_user_id)]
  const contact = contactOf(from, userId, value)
  const person = personOf(from, userId, contact)
  const incoming = said(call.direction) !== 'BUSINESS_INITIATED'
  if (!id || !incoming || !Object.keys(person).length) return []
  const base = { id, chat: chatOf(person), at: timeOf(call.timestamp) }
  return [{ ...base, kind: 'call', person, pushName: nameIn(contact), missed: true, video: false }]
}

const ticks: Record<string, 2 | 3 | 4 | 5> = { sent: 2, delivered: 3, read: 4, played: 5 }
const ownIdOf = (status: Loose): string => {
  const own = said(status.biz_opaque_callback_data)
  return ownId.test(own) ? own : ''
}

function statusOf(status: Loose): InboundEvent[] {
  const [id, what] = [said(status.id), said(status.status)]
  if (!id) return []
  const to = said(status.recipient_id)
  const person = personOf(to, status.recipient_user_id, {})
  const base = { id: `${id}:${what}`, chat: chatOf(person), at: timeOf(status.timestamp) }
  const targetId = ownIdOf(status) || id
  const ack = ticks[what]
  if (ack) return [{ ...base, kind: 'ack', targetId, ack }]
  if (what !== 'failed') return []
  const fault = asFault(looseList(status.errors)[0]) ?? { code: 0, title: '', details: '' }
  const reason = fault.code ? reasonOf(fault) : 'meta-error'
  const detail = (fault.details || fault.title).slice(0, 300)
  return [{ ...base, kind: 'failed', targetId, reason, detail }]
}

/** Meta tells with every status which of our ids it was: after a crash that is how we learn what it took. */
function sentOf(status: Loose): Heard['sent'] {
  const [wid, wamid] = [ownIdOf(status), said(status.id)]
  return wid && wamid && said(status.status) !== 'failed' ? [{ wid, wamid }] : []
}
