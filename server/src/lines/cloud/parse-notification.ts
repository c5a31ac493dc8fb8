import type { InboundEvent, InboundMessage, PersonIdentity } from '../line.ts'
import { makeReferral } from '../referral.ts'
import { vendorTimestampToDate } from '../vendor-timestamp.ts'
import { parseMetaContent } from './content.ts'
import { formatFailureReason, parseGraphFault } from './failures.ts'
import { parseHistory, parseSavedContact } from './parse-history.ts'
import { parsePricing } from './parse-pricing.ts'
import { asJsonObject, asJsonObjects, asText, type JsonObject } from './untyped-json.ts'

/** An id that we chose ourselves (created in desk/messages/store.ts). */
const ownIdPattern = /^3EB0[0-9A-F]{18}$/

/** The content of one change for one number. `sent`: which of our message ids got which id at Meta. */
export type NumberChanges = {
  phoneNumberId: string
  events: InboundEvent[]
  sent: { wid: string; wamid: string }[]
  /** Whether the approved templates have changed. */
  templates: boolean
}

/** Everything in one webhook call, by number; changes of the whole account have an empty number. */
export function parseNotification(body: JsonObject): NumberChanges[] {
  return asJsonObjects(body.entry).flatMap((entry) =>
    asJsonObjects(entry.changes).map((change) => parseChange(asText(change.field), asJsonObject(change.value))),
  )
}

function parseChange(field: string, value: JsonObject): NumberChanges {
  const phoneNumberId = asText(asJsonObject(value.metadata).phone_number_id)
  const noChanges = { phoneNumberId, events: [], sent: [], templates: false }
  if (field.startsWith('message_template_') || field.startsWith('template_')) return { ...noChanges, templates: true }
  if (field === 'smb_message_echoes')
    return { ...noChanges, events: asJsonObjects(value.message_echoes).flatMap((message) => parseEcho(message, value)) }
  if (field === 'history') return { ...noChanges, events: parseHistory(value) }
  if (field === 'smb_app_state_sync')
    return { ...noChanges, events: asJsonObjects(value.state_sync).flatMap(parseSavedContact) }
  if (field === 'user_id_update')
    return { ...noChanges, events: asJsonObjects(value.user_id_update).flatMap(parseUserIdUpdate) }
  if (field === 'calls')
    return { ...noChanges, events: asJsonObjects(value.calls).flatMap((call) => parseCall(call, value)) }
  if (field !== 'messages') return noChanges
  const statuses = asJsonObjects(value.statuses)
  const events = [
    ...asJsonObjects(value.messages).flatMap((message) => parseMessage(message, value)),
    ...statuses.flatMap(parseStatus),
  ]
  return { ...noChanges, events, sent: statuses.flatMap(parseSentIds) }
}

const toIsoTime = (timestamp: unknown): string => vendorTimestampToDate(Number(timestamp)).toISOString()

/** The phone number if Meta sends it, Meta's user id for this business, and the person's own name. */
function parseIdentity(phone: unknown, userId: unknown, contact: JsonObject): PersonIdentity {
  const number = asText(phone) || asText(contact.wa_id)
  const cloud = asText(userId) || asText(contact.user_id) || (/^\d+$/.test(number) ? '' : number)
  const username = asText(asJsonObject(contact.profile).username) || asText(contact.username)
  return {
    ...(/^\d+$/.test(number) && { phone: number }),
    ...(cloud && { cloud }),
    ...(username && { username }),
  }
}

export const toChatId = (person: PersonIdentity): string =>
  person.phone ? `${person.phone}@s.whatsapp.net` : `${person.cloud ?? person.username ?? ''}@cloud`

const readProfileName = (contact: JsonObject): string => asText(asJsonObject(contact.profile).name)

type Contacts = { all: JsonObject[]; byNumber: Map<string, number>; byUserId: Map<string, number> }
/**
 * The contacts of each change, indexed: a change can have thousands of contacts, and thousands of messages that look up
 * their contact.
 */
const contactsOf = new WeakMap<JsonObject, Contacts>()

function indexContacts(value: JsonObject): Contacts {
  const known = contactsOf.get(value)
  if (known) return known
  const contactIndex: Contacts = { all: asJsonObjects(value.contacts), byNumber: new Map(), byUserId: new Map() }
  for (const [at, contact] of contactIndex.all.entries()) {
    const [number, user] = [asText(contact.wa_id), asText(contact.user_id)]
    if (!contactIndex.byNumber.has(number)) contactIndex.byNumber.set(number, at)
    if (!contactIndex.byUserId.has(user)) contactIndex.byUserId.set(user, at)
  }
  contactsOf.set(value, contactIndex)
  return contactIndex
}

/** The contact of the author, if a change has several contacts. */
function findSender(from: string, userId: string, value: JsonObject): JsonObject {
  const { all, byNumber, byUserId: byUser } = indexContacts(value)
  const indexes = [from && byNumber.get(from), userId && byUser.get(userId)].filter((at) => typeof at === 'number')
  const first = indexes.length ? all[Math.min(...indexes)] : undefined
  return first ?? (all.length === 1 ? (all[0] as JsonObject) : {})
}

/** A customer's id at Meta was replaced. Meta describes it as a pair, or as two fields. */
function parseUserIdUpdate(update: JsonObject): InboundEvent[] {
  const pair = asJsonObject(update.user_id)
  const before = asText(pair.previous) || asText(update.previous_user_id)
  const now = asText(pair.current) || asText(update.user_id)
  return replaceIdentity(`user-id:${before}:${now}`, update.timestamp, {
    ...parseIdentity(update.wa_id, now, {}),
    former: { cloud: before },
  })
}

const identityChangeTypes = ['user_changed_number', 'user_changed_user_id', 'customer_changed_number']

/** The same change as a system message; a new number always comes with a new id. */
function parseIdentityChange(message: JsonObject): InboundEvent[] {
  const system = asJsonObject(message.system)
  const [was, is] = [asText(message.from), asText(system.wa_id) || asText(system.new_wa_id)]
  const isNumber = /^\d+$/.test(was) && /^\d+$/.test(is) && was !== is
  const former = { cloud: asText(system.previous_user_id), ...(isNumber && { phone: was }) }
  const phone = isNumber ? is : was
  return replaceIdentity(asText(message.id), message.timestamp, {
    ...parseIdentity(phone, asText(system.user_id) || message.from_user_id, {}),
    former,
  })
}

function replaceIdentity(id: string, timestamp: unknown, { former = {}, ...now }: PersonIdentity): InboundEvent[] {
  const hasNewNumber = Boolean(former.phone && now.phone)
  const hasNewId = Boolean(former.cloud && now.cloud && former.cloud !== now.cloud)
  if (!id || !(hasNewNumber || hasNewId)) return []
  const kept = { ...(former.phone && { phone: former.phone }), ...(former.cloud && { cloud: former.cloud }) }
  return [{ id, chat: toChatId(now), at: toIsoTime(timestamp), kind: 'contact', person: { ...now, former: kept } }]
}

function parseMessage(message: JsonObject, value: JsonObject): InboundEvent[] {
  const id = asText(message.id)
  if (asText(message.type) === 'system' && identityChangeTypes.includes(asText(asJsonObject(message.system).type)))
    return parseIdentityChange(message)
  const [from, userId] = [asText(message.from), asText(message.from_user_id)]
  const contact = findSender(from, userId, value)
  const person = parseIdentity(from, userId, contact)
  if (!id || !Object.keys(person).length) return []
  const group = asText(message.group_id)
  const chat = group ? `${group}@g.us` : toChatId(person)
  const base = { id, chat, at: toIsoTime(message.timestamp) }
  const type = asText(message.type)
  const name = readProfileName(contact)
  if (type === 'reaction') {
    const { message_id, emoji } = asJsonObject(message.reaction)
    const from = person.phone ?? person.cloud ?? ''
    return [
      { ...base, kind: 'reaction', targetId: asText(message_id), emoji: asText(emoji), fromMe: false, from, name },
    ]
  }
  if (type === 'revoke')
    return [{ ...base, kind: 'revoke', targetId: asText(asJsonObject(message.revoke).original_message_id) }]
  if (type === 'edit') {
    const edit = asJsonObject(message.edit)
    const content = parseMetaContent(asJsonObject(edit.message))
    const body = 'body' in content ? content.body : ''
    return [{ ...base, kind: 'edit', targetId: asText(edit.original_message_id), body }]
  }
  const quotedId = asText(asJsonObject(message.context).id)
  const referral = parseReferral(message)
  const inboundMessage: InboundMessage = {
    ...base,
    kind: 'message',
    fromMe: false,
    person,
    pushName: name,
    content: parseMetaContent(message),
    ...(group && { group: { id: group, name: group, author: person, authorName: name } }),
    ...(quotedId && { quotedId }),
    ...(referral && { referral }),
  }
  return [inboundMessage]
}

/** The ad or post that made the customer write. */
function parseReferral(message: JsonObject): InboundMessage['referral'] | undefined {
  const ad = asJsonObject(message.referral)
  const picture = asText(ad.image_url) || asText(ad.thumbnail_url) || asText(ad.video_url)
  return makeReferral({
    sourceType: asText(ad.source_type),
    sourceId: asText(ad.source_id),
    title: asText(ad.headline),
    body: asText(ad.body),
    url: asText(ad.source_url),
    picture,
    clickId: asText(ad.ctwa_clid),
  })
}

/** A message of ours, written in the WhatsApp Business app on the same number. */
function parseEcho(message: JsonObject, value: JsonObject): InboundEvent[] {
  const id = asText(message.id)
  const [to, userId] = [asText(message.to), asText(message.to_user_id)]
  const person = parseIdentity(to, userId, findSender(to, userId, value))
  if (!id || !Object.keys(person).length) return []
  const base = { id, chat: toChatId(person), at: toIsoTime(message.timestamp) }
  return [{ ...base, kind: 'message', fromMe: true, person, pushName: '', content: parseMetaContent(message) }]
}

/** A call is stored as missed: it cannot be answered here. Meta reports it when it rings and ends, under the same id. */
function parseCall(call: JsonObject, value: JsonObject): InboundEvent[] {
  const [id, from, userId] = [asText(call.id), asText(call.from), asText(call.from_user_id)]
  const contact = findSender(from, userId, value)
  const person = parseIdentity(from, userId, contact)
  const incoming = asText(call.direction) !== 'BUSINESS_INITIATED'
  if (!id || !incoming || !Object.keys(person).length) return []
  const base = { id, chat: toChatId(person), at: toIsoTime(call.timestamp) }
  return [{ ...base, kind: 'call', person, pushName: readProfileName(contact), missed: true, video: false }]
}

const ackByStatus: Record<string, 2 | 3 | 4 | 5> = { sent: 2, delivered: 3, read: 4, played: 5 }
const readOwnId = (status: JsonObject): string => {
  const own = asText(status.biz_opaque_callback_data)
  return ownIdPattern.test(own) ? own : ''
}

function parseStatus(status: JsonObject): InboundEvent[] {
  const [id, what] = [asText(status.id), asText(status.status)]
  if (!id) return []
  const to = asText(status.recipient_id)
  const person = parseIdentity(to, status.recipient_user_id, {})
  const base = { id: `${id}:${what}`, chat: toChatId(person), at: toIsoTime(status.timestamp) }
  const targetId = readOwnId(status) || id
  const ack = ackByStatus[what]
  const pricing = parsePricing(status.pricing)
  if (ack) return [{ ...base, kind: 'ack', targetId, ack, ...(pricing && { pricing }) }]
  if (what !== 'failed') return []
  const fault = parseGraphFault(asJsonObjects(status.errors)[0]) ?? { code: 0, title: '', details: '' }
  const reason = fault.code ? formatFailureReason(fault) : 'meta-error'
  const detail = (fault.details || fault.title).slice(0, 300)
  return [{ ...base, kind: 'failed', targetId, reason, detail }]
}

/** Meta returns our message id with every status: after a crash this shows which messages Meta had accepted. */
function parseSentIds(status: JsonObject): NumberChanges['sent'] {
  const [wid, wamid] = [readOwnId(status), asText(status.id)]
  return wid && wamid && asText(status.status) !== 'failed' ? [{ wid, wamid }] : []
}
